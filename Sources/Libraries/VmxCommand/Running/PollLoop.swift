import Glibc
import SystemPackage
import VmxPresentation
import VmxStore
package import VmxSystem

/// The main loop of a tool that watches the library.
///
/// It ends between two polls: at the first interrupt, when the reader of the output closes the
/// pipe, or when the terminal closes. So the printed output is always complete.
package struct PollLoop {
  /// The poll interval in milliseconds: the display is redrawn at most five times a second.
  package static let interval = StoreFollower.interval

  private let output: any ByteSink
  private let interruption: Interruption

  /// Creates the loop for the context's output. It installs signal handlers, so a process may
  /// create only one.
  ///
  /// - Throws: `resources-short`.
  package init(in context: CommandContext) throws(ProcessError) {
    output = context.output
    interruption = try Interruption.install()
  }

  /// Flushes the output and waits for the next poll.
  ///
  /// - Throws: `CommandExit.signal` after an interrupt, `OutputError` if the reader has closed
  ///   the pipe.
  package func pause() throws {
    try output.flush()
    let deadline = Deadline(milliseconds: Self.interval)
    while !deadline.isPast {
      if let signal = interruption.signal { throw CommandExit.signal(signal) }
      // `poll` without requested events still reports a hang-up; it ignores a descriptor of -1.
      var watched = [
        pollfd(fd: interruption.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output.descriptor ?? -1, events: 0, revents: 0),
      ]
      let rest = Int32((deadline.remaining + 999_999) / 1_000_000)
      guard poll(&watched, nfds_t(watched.count), rest) > 0 else { continue }
      if watched[1].revents != 0 { throw OutputError.closed }
    }
    if let signal = interruption.signal { throw CommandExit.signal(signal) }
  }
}
