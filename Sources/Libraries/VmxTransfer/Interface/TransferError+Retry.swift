import VmxModel

extension TransferError {
  /// Whether retrying the same source can help.
  var isPassing: Bool {
    switch self {
    case .unreachable, .stalled, .reset, .cut, .protocolBroken, .rateLimited, .rangeBroken,
      .emptyBody, .notMedia, .typeMismatch, .sizeMismatch:
      true
    case .tls(_, _, let isPassing): isPassing
    case .status(_, let status): StatusMeaning(status).isPassing
    default: false
    }
  }

  /// Whether it may be the response of a server that has too many connections already.
  var isRefusal: Bool {
    switch self {
    case .rateLimited, .unreachable: true
    case .status(_, let status): [403, 503].contains(status)
    default: false
    }
  }

  /// The number of attempts after which the failure is final, if lower than usual.
  var enoughAttempts: Int? {
    switch self {
    case .emptyBody, .notMedia, .typeMismatch, .sizeMismatch: 2
    default: nil
    }
  }

  /// Whether the failure does not depend on the source, so that other sources would fail as well.
  var isOurs: Bool {
    switch self {
    case .file, .unread, .stopped, .broken, .offline, .short: true
    default: false
    }
  }

  /// Adds a retry time if a server asks to wait without saying how long: the longest wait that does
  /// not end a run.
  func withTime(after now: Timestamp, _ settings: TransferSettings) -> TransferError {
    guard case .rateLimited(let url, let status, nil) = self else { return self }
    return .rateLimited(
      url: url, status: status, until: now.adding(milliseconds: settings.waitForPolicy))
  }
}

/// The transfer error for an HTTP status other than that of a usable response (RFC 9110, section
/// 15).
struct StatusMeaning: Equatable {
  /// The code of the failure.
  let code: ErrorCode
  /// Whether a retry can help.
  let isPassing: Bool

  init(_ status: Int) {
    switch status {
    case 401, 403, 407: (code, isPassing) = (.httpDenied, false)
    case 404, 410: (code, isPassing) = (.httpGone, false)
    case 408, 425: (code, isPassing) = (.httpFailing, true)
    case 429: (code, isPassing) = (.rateLimited, true)
    case 501, 505: (code, isPassing) = (.httpRefused, false)
    case 500...599: (code, isPassing) = (.httpFailing, true)
    default: (code, isPassing) = (.httpRefused, false)
    }
  }
}
