import CLinux
import Glibc
package import SystemPackage

// The first INT, TERM or HUP asks the process to stop: it sets a flag and makes a descriptor
// readable; work that goes on looks at the flag, work that sleeps polls the descriptor, and calls
// that wait on the main thread come back with EINTR. The second ends the process at once, as the
// signal would have done by itself; what is on disk is then what a crash leaves.

/// A request to stop, made by a signal or by the program itself.
///
/// Unchecked, because the C record behind it is made of atomics and never freed while in use.
package final class Interruption: @unchecked Sendable {
  private let record: OpaquePointer
  private let isWatching: Bool

  /// A request that no signal makes, only `request()`: for tests and for inner loops.
  ///
  /// - Throws: `ProcessError.noThread` with ENOMEM or EMFILE, code `resources-short`.
  package convenience init() throws(ProcessError) {
    try self.init(watching: [])
  }

  /// Watches signals that may be others than those of `install()`.
  init(watching signals: [CInt]) throws(ProcessError) {
    guard let record = linux_interruption_new() else { throw .noThread("interruption", .last) }
    self.record = record
    var installed = false
    for signal in signals {
      var ignored: CInt = 0
      installed = linux_interruption_watch(record, signal, &ignored) != EBUSY || installed
    }
    isWatching = installed
  }

  deinit {
    // A handler may still look at a record that is watched, so that one lives on.
    if !isWatching { linux_interruption_free(record) }
  }

  /// Lets INT, TERM and HUP ask this process to stop, each unless it was ignored at the start.
  ///
  /// To be called once, by main; a second one is never asked by signals.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package static func install() throws(ProcessError) -> Interruption {
    try Interruption(watching: [SIGINT, SIGTERM, SIGHUP])
  }

  /// Whether it was asked to stop.
  package var isRequested: Bool { linux_interruption_signal(record) != 0 }

  /// The signal that asked first, if one did.
  package var signal: CInt? {
    let signal = linux_interruption_signal(record)
    return signal == 0 ? nil : signal
  }

  /// Polls readable from the first request on; nobody reads from it or closes it.
  package var descriptor: FileDescriptor {
    FileDescriptor(rawValue: linux_interruption_descriptor(record))
  }

  /// Sleeps until it was asked to stop.
  package func wait() {
    var watched = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    while !isRequested { _ = poll(&watched, 1, -1) }
  }

  /// Asks to stop as SIGINT would.
  package func request() {
    _ = linux_interruption_request(record, SIGINT)
  }
}
