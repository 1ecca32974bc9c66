import CLinux
import Glibc
import SystemPackage

extension SpawnedProgram {
  /// The outcome of waiting for a program.
  package enum Patience: Sendable, Equatable {
    /// It ended by itself.
    case ended(Ending)
    /// It was terminated because its time was up.
    case late
    /// It was terminated because this process was asked to stop.
    case interrupted
  }

  /// The milliseconds between SIGTERM and SIGKILL.
  package static let grace: Int64 = 500
  /// The polling interval in milliseconds where the kernel does not report a child's end (no
  /// pidfd).
  private static let slice: Int64 = 20

  /// Waits until the program ends. At the deadline or on an interruption it sends SIGTERM, and half
  /// a second later SIGKILL. Call it once, in place of `wait`.
  ///
  /// - Parameter interruption: the request to stop this process, if any.
  package func wait(until deadline: Deadline, or interruption: Interruption?) -> Patience {
    var descriptor: Int32 = -1
    _ = linux_process_descriptor(id, &descriptor)
    defer { if descriptor >= 0 { close(descriptor) } }
    if hasEnded(by: deadline, descriptor, interruption) { return .ended(wait()) }
    let patience: Patience = interruption?.isRequested == true ? .interrupted : .late
    send(SIGTERM)
    if !hasEnded(by: Deadline(milliseconds: Self.grace), descriptor, nil) { send(SIGKILL) }
    _ = wait()
    return patience
  }

  /// Whether the program ended before the deadline and before this process was asked to stop.
  private func hasEnded(
    by deadline: Deadline, _ descriptor: Int32, _ interruption: Interruption?
  ) -> Bool {
    while !hasEnded {
      if deadline.isPast || interruption?.isRequested == true { return false }
      var watched = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption?.descriptor.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = (deadline.remaining + 999_999) / 1_000_000
      _ = poll(&watched, 2, Int32(clamping: descriptor < 0 ? min(left, Self.slice) : left))
    }
    return true
  }

  /// Whether the program has ended; it remains to be reaped by `wait`.
  private var hasEnded: Bool {
    var facts = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    // A process that cannot be queried no longer exists.
    guard waitid(P_PID, id_t(id), &facts, options) == 0 else { return errno != EINTR }
    return facts.si_signo == SIGCHLD
  }
}
