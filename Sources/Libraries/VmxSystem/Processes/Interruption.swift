import CLinux
import Glibc
package import SystemPackage

// The first INT, TERM or HUP requests a stop: it sets a flag and makes a descriptor readable.
// Running work checks the flag, sleeping work polls the descriptor, and blocking calls on the main
// thread return EINTR. The second signal kills the process by its default action; the files on disk
// are then as after a crash.

/// A request to stop, made by a signal or by the program itself.
///
/// Unchecked, because the C record behind it consists of atomics and is never freed while in use.
package final class Interruption: @unchecked Sendable {
  private let record: OpaquePointer
  private let isWatching: Bool

  /// Creates a request that only `request()` makes, not a signal: for tests and inner loops.
  ///
  /// - Throws: `ProcessError.noThread` with ENOMEM or EMFILE, code `resources-short`.
  package convenience init() throws(ProcessError) {
    try self.init(watching: [])
  }

  /// Watches the given signals, which may differ from those of `install()`.
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
    // A signal handler may still access a watched record, so that one is never freed.
    if !isWatching { linux_interruption_free(record) }
  }

  /// Installs handlers of INT, TERM and HUP that request a stop, except for signals that were
  /// ignored at the start.
  ///
  /// Call it once, from main; signals never set a second request.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package static func install() throws(ProcessError) -> Interruption {
    try Interruption(watching: [SIGINT, SIGTERM, SIGHUP])
  }

  /// Whether a stop was requested.
  package var isRequested: Bool { linux_interruption_signal(record) != 0 }

  /// The first signal that requested the stop, if any.
  package var signal: CInt? {
    let signal = linux_interruption_signal(record)
    return signal == 0 ? nil : signal
  }

  /// The descriptor that polls readable from the first request on; callers must not read or close
  /// it.
  package var descriptor: FileDescriptor {
    FileDescriptor(rawValue: linux_interruption_descriptor(record))
  }

  /// Blocks until a stop is requested or the deadline has passed; returns whether it is requested.
  @discardableResult
  package func wait(until deadline: Deadline = Deadline(milliseconds: .max)) -> Bool {
    var watched = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    while !isRequested, !deadline.isPast { _ = poll(&watched, 1, deadline.pollTimeout) }
    return isRequested
  }

  /// Requests a stop as SIGINT would.
  package func request() {
    _ = linux_interruption_request(record, SIGINT)
  }
}

/// Ignores SIGPIPE, so that a write to a closed pipe returns EPIPE and a command can finish its
/// work.
package func ignoreBrokenPipes() {
  _ = linux_ignore(SIGPIPE)
}

/// Starts a program that receives the keyboard's signals: this process then ignores SIGINT and
/// SIGQUIT.
///
/// Both signals are blocked during the change. The program starts with their default actions, and
/// this process never receives one that is meant for the program.
///
/// - Parameter start: starts the program; if it returns nil, nothing is changed.
package func handingOverKeyboard<R>(to start: () -> R?) -> R? {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGINT)
  sigaddset(&signals, SIGQUIT)
  var before = sigset_t()
  pthread_sigmask(SIG_BLOCK, &signals, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  guard let program = start() else { return nil }
  _ = linux_ignore(SIGINT)
  _ = linux_ignore(SIGQUIT)
  return program
}

/// Ignores SIGXFSZ, so that a write beyond the file size limit returns EFBIG, an ordinary error.
package func ignoreFileSizeSignals() {
  _ = linux_ignore(SIGXFSZ)
}

/// Ends the process by a signal's default action, so that its parent sees the signal.
///
/// Returns only if the signal's default action does not end a process.
package func terminate(by signal: CInt) {
  linux_die_by(signal)
}
