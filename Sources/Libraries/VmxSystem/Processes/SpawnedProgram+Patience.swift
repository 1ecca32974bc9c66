import CLinux
import Glibc
import SystemPackage

extension SpawnedProgram {
  /// How waiting for a program came out.
  package enum Patience: Sendable, Equatable {
    /// It ended by itself.
    case ended(Ending)
    /// It was made to end, because its time was up.
    case late
    /// It was made to end, because this process was asked to stop.
    case interrupted
  }

  /// Milliseconds between SIGTERM and SIGKILL.
  package static let grace: Int64 = 500
  /// Milliseconds between two looks where the kernel does not tell of a child's end.
  private static let slice: Int64 = 20

  /// Waits until it ends, for so long; then, or on an interruption, it is sent SIGTERM, and half
  /// a second later SIGKILL. To be called once, instead of `wait`.
  ///
  /// - Parameter interruption: what asks this process to stop, if anything does.
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

  /// Whether it ended before the deadline and before the process was asked to stop.
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

  /// Whether it has ended; it can still be waited for.
  private var hasEnded: Bool {
    var facts = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    // What cannot be asked about is not there any more.
    guard waitid(P_PID, id_t(id), &facts, options) == 0 else { return errno != EINTR }
    return facts.si_signo == SIGCHLD
  }
}
