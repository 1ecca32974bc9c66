/// What a tool tells its caller by its exit status (sysexits.h for 64 to 78).
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done, or nothing to do.
  case success = 0
  /// Ran to the end, but some items failed.
  case someFailed = 1
  /// The command line was wrong.
  case usage = 64
  /// Input data are malformed.
  case dataError = 65
  /// An input, an episode or a file is not there.
  case noInput = 66
  /// A server could not be reached or gives the file no longer, or another program is not there.
  case unavailable = 69
  /// A bug in vmx.
  case internalError = 70
  /// An output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed.
  case ioError = 74
  /// Worth trying later as it is.
  case tryLater = 75
  /// The server broke the protocol, or sent wrong bytes.
  case protocolError = 76
  /// Not permitted.
  case notPermitted = 77
  /// A setting, or the place where the library lies, is wrong.
  case configuration = 78
}
