import Glibc
import SystemPackage
import VmxPresentation
package import VmxSystem

/// Keeps a tool going that watches something until nobody wants it any more.
///
/// The first interrupt, the end of whoever reads the output, and the end of the terminal all end it
/// between two looks, so that what it prints is always whole.
package struct Watching {
  /// Milliseconds between two looks: a change is seen well within a second, and nothing is drawn
  /// more than five times a second.
  package static let betweenLooks: Int64 = 200

  private let output: any ByteSink
  private let interruption: Interruption

  /// A watch whose result goes to the context's output; to be made once in a process.
  ///
  /// - Throws: `resources-short`.
  package init(in context: CommandContext) throws(ProcessError) {
    output = context.output
    interruption = try Interruption.install()
  }

  /// Hands on what was printed, and waits for the next look.
  ///
  /// - Throws: `CommandEnding.signal` when it was interrupted, `OutputError` when nobody reads.
  package func pause() throws {
    try output.flush()
    let deadline = Deadline(milliseconds: Self.betweenLooks)
    while !deadline.isPast {
      if let signal = interruption.signal { throw CommandEnding.signal(signal) }
      // A poll for no event still tells that the far end is gone; -1 is left out.
      var watched = [
        pollfd(fd: interruption.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output.descriptor ?? -1, events: 0, revents: 0),
      ]
      let rest = Int32((deadline.remaining + 999_999) / 1_000_000)
      guard poll(&watched, nfds_t(watched.count), rest) > 0 else { continue }
      if watched[1].revents != 0 { throw OutputError.closed }
    }
    if let signal = interruption.signal { throw CommandEnding.signal(signal) }
  }
}
