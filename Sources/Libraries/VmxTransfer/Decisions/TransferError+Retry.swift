import VmxModel

extension TransferError {
  /// Whether asking the same source again can help.
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

  /// Whether a server that has too many connections already may answer so.
  var isRefusal: Bool {
    switch self {
    case .rateLimited, .unreachable: true
    case .status(_, let status): [403, 503].contains(status)
    default: false
    }
  }

  /// Attempts that are enough to believe it, where that is fewer than usual.
  var enoughAttempts: Int? {
    switch self {
    case .emptyBody, .notMedia, .typeMismatch, .sizeMismatch: 2
    default: nil
    }
  }

  /// Whether other sources of the same part fail in the same way, whatever they are.
  var isOurs: Bool {
    switch self {
    case .file, .unread, .stopped, .broken, .offline, .short: true
    default: false
    }
  }

  /// The same failure with a time to ask again, where a server asks to wait and does not say how
  /// long: the longest that is sat through.
  func withTime(after now: Timestamp, _ settings: TransferSettings) -> TransferError {
    guard case .rateLimited(let url, let status, nil) = self else { return self }
    return .rateLimited(
      url: url, status: status, until: now.adding(milliseconds: settings.waitForPolicy))
  }
}
