import VmxModel

/// The rules for redirect targets (design, section 7).
struct RedirectPolicy: Sendable {
  /// The maximum number of redirects within one attempt.
  let limit: Int
  /// Whether a redirect may lead from https to http.
  let allowsDowngrade: Bool

  /// The decision about a redirect.
  enum Verdict: Equatable {
    /// Request this URL next.
    case follow(RequestURL)
    /// The target is missing, not http or https, or http after https; the value is its shown form.
    case refuse(to: String)
    /// The limit is exceeded.
    case tooMany
  }

  /// Whether a status redirects by `Location`; 300 and 304 do not.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// Whether the redirected request is a GET without a body (RFC 9110, section 15.4).
  static func becomesGet(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
    status == 303 || [301, 302].contains(status) && method == .post
  }

  /// Decides about a redirect.
  ///
  /// - Parameter followed: the number of redirects followed before this one.
  func verdict(from url: RequestURL, location: String?, followed: Int) -> Verdict {
    guard let location, !location.isEmpty else { return .refuse(to: "") }
    guard let next = url.resolving(location) else {
      return .refuse(to: URLRedaction.redacted(location))
    }
    if url.origin.scheme == "https", next.origin.scheme != "https", !allowsDowngrade {
      return .refuse(to: next.redacted)
    }
    return followed < limit ? .follow(next) : .tooMany
  }
}
