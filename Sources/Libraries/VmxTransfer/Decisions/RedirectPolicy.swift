import VmxModel

/// Where a redirect may lead (design, section 7).
struct RedirectPolicy: Sendable {
  /// Redirects followed within one attempt.
  let limit: Int
  /// Whether one may lead from https to http.
  let allowsDowngrade: Bool

  /// What becomes of a redirect.
  enum Verdict: Equatable {
    /// Ask there next.
    case follow(RequestURL)
    /// It leads elsewhere than http and https, to plain text from https, or nowhere: shown form.
    case refuse(to: String)
    /// There have been too many.
    case tooMany
  }

  /// Statuses that lead elsewhere by `Location`; 300 and 304 do not.
  static func isRedirect(_ status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// Judges a redirect.
  ///
  /// - Parameter followed: redirects followed before this one.
  func verdict(from url: RequestURL, location: String?, followed: Int) -> Verdict {
    guard let location, !location.isEmpty else { return .refuse(to: "") }
    guard let next = url.resolving(location) else {
      return .refuse(to: URLRedaction.redacted(location))
    }
    if url.origin.scheme == "https", next.origin.scheme != "https", !allowsDowngrade {
      return .refuse(to: next.shown)
    }
    return followed < limit ? .follow(next) : .tooMany
  }
}
