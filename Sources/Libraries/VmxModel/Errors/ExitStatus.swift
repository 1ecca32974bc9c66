/// The exit status of a tool (sysexits.h for 64 to 78).
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Success, or nothing to do.
  case success = 0
  /// The run completed, but some items failed.
  case someFailed = 1
  /// The command line was wrong.
  case usage = 64
  /// Input data are malformed.
  case dataError = 65
  /// An input, an episode or a file does not exist.
  case noInput = 66
  /// A server is unreachable or no longer has the file, or another program is not installed.
  case unavailable = 69
  /// A bug in vmx.
  case internalError = 70
  /// An output cannot be created.
  case cannotCreate = 73
  /// A read or write failed.
  case ioError = 74
  /// A temporary failure: the same command may succeed later.
  case tryLater = 75
  /// The server violated the protocol or sent wrong bytes.
  case protocolError = 76
  /// Permission denied.
  case notPermitted = 77
  /// A setting or the location of the library is invalid.
  case configuration = 78
}
