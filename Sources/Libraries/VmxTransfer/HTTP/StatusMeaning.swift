import VmxModel

/// What an HTTP status other than a usable answer means for the transfer (RFC 9110, section 15).
struct StatusMeaning: Equatable {
  /// The failure it stands for.
  let code: ErrorCode
  /// Whether asking again can help.
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
