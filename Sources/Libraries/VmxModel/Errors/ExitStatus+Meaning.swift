extension ExitStatus {
  /// The meaning, as one sentence.
  package var meaning: String {
    switch self {
    case .success: "Everything was done, or there was nothing to do."
    case .someFailed: "The run came to its end, and some items failed."
    case .usage: "The command line is wrong."
    case .dataError: "The input data are malformed."
    case .noInput: "An input, an episode or a file does not exist."
    case .unavailable: "A server or another program is not available."
    case .internalError: "There is a bug in vmx."
    case .cannotCreate: "An output cannot be created."
    case .ioError: "A read or a write failed."
    case .tryLater: "The failure is temporary; the same command may succeed later."
    case .protocolError: "A server violated the protocol or sent wrong bytes."
    case .notPermitted: "Permission was denied."
    case .configuration: "A setting or the location of the library is invalid."
    }
  }
}
