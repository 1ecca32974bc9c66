import Synchronization
import VmxModel

/// The scheme by which user and password are sent to an origin (RFC 7617, RFC 7616).
///
/// Over https they are sent with the first request. Over http a digest keeps the password secret,
/// so the first request omits them and the server chooses the scheme. If the server redirects,
/// refuses or hides a URL without a challenge, they are sent with a second request, as over https.
enum Authentication: Sendable {
  /// Plain text with each request.
  case basic
  /// A digest after a challenge.
  case digest
  /// After a challenge: a digest if the server accepts one, otherwise plain text.
  case challenged

  /// Returns the scheme for further requests to the same origin; nil if it does not change.
  ///
  /// - Parameter challenge: the challenge that libcurl has answered, if any.
  /// - Returns: also whether this request must be sent again.
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
  /// The schemes, Basic or Digest, that the server accepts, in lower case.
  var challenges: Set<String> {
    let pieces = self["www-authenticate"]?.lowercased().split(separator: ",") ?? []
    let schemes = pieces.compactMap { $0.split(separator: " ").first.map(String.init) }
    return Set(schemes).intersection(["basic", "digest"])
  }
}

/// The schemes that the origins have chosen, for all transfers of an engine.
final class AuthenticationMemory: Sendable {
  private let schemes = Mutex<[RequestURL.Origin: Authentication]>([:])

  /// Returns the scheme for a request. A request other than a GET is never sent twice to determine
  /// it.
  func scheme(_ origin: RequestURL.Origin, _ method: HTTPRequest.Method) -> Authentication {
    if let known = schemes.withLock({ $0[origin] }) { return known }
    return origin.scheme == "https" || method != .get ? .basic : .challenged
  }

  /// Records the scheme of an origin.
  func record(_ scheme: Authentication, of origin: RequestURL.Origin) {
    schemes.withLock { $0[origin] = scheme }
  }
}
