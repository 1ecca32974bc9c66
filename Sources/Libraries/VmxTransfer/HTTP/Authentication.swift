import Synchronization

/// How user and password are sent to an origin (RFC 7617, RFC 7616).
///
/// By https they go with the first request. By http a digest keeps the password secret, so the first
/// request goes without, and the server chooses. One that redirects, refuses or hides a URL without
/// a challenge gets them with a second request, as it would by https.
enum Authentication: Sendable {
  /// With each request, as readable text.
  case basic
  /// As a digest, after a challenge.
  case digest
  /// After a challenge: as a digest if the server takes one, else as readable text.
  case challenged

  /// The scheme for further requests to the same origin; nil if it stays.
  ///
  /// - Parameter challenge: the challenge that libcurl has answered, if any.
  /// - Returns: also whether this request is to be sent again.
  func next(
    after head: ResponseHead, challenge: ResponseHead?
  ) -> (scheme: Authentication, isRepeated: Bool)? {
    switch self {
    case .digest: nil
    case .basic:
      head.status == 401 && head.challenges == ["digest"] ? (.digest, true) : nil
    case .challenged:
      if let challenge {
        (challenge.challenges.contains("digest") ? .digest : .basic, false)
      } else if RedirectPolicy.isRedirect(head.status) || [403, 404].contains(head.status) {
        (.basic, true)
      } else {
        nil
      }
    }
  }
}

extension ResponseHead {
  /// The schemes among Basic and Digest by which the server lets a user in, in lower case.
  var challenges: Set<String> {
    let pieces = self["www-authenticate"]?.lowercased().split(separator: ",") ?? []
    let schemes = pieces.compactMap { $0.split(separator: " ").first.map(String.init) }
    return Set(schemes).intersection(["basic", "digest"])
  }
}

/// The schemes that the origins have chosen, for all transfers of an engine.
final class AuthenticationMemory: Sendable {
  private let schemes = Mutex<[RequestURL.Origin: Authentication]>([:])

  /// The scheme for a request. A request that is no GET is never sent twice to learn it.
  func scheme(_ origin: RequestURL.Origin, _ content: RequestContent) -> Authentication {
    if let known = schemes.withLock({ $0[origin] }) { return known }
    return origin.scheme == "https" || content.method != .get ? .basic : .challenged
  }

  /// Records the scheme of an origin.
  func remember(_ scheme: Authentication, of origin: RequestURL.Origin) {
    schemes.withLock { $0[origin] = scheme }
  }
}
