import VmxModel

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
