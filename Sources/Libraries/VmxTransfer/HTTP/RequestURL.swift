import CCurl
import VmxModel

/// A URL as parsed by libcurl, so that the checked URL is the requested one.
struct RequestURL: Sendable, Equatable {
  /// Scheme, host and port: the scope of credentials (RFC 6454).
  struct Origin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: String

    /// The host and port as written in the records of all processes.
    var name: HostName { HostName(host: host, port: port) }
  }

  /// The URL to request, without user, password and fragment.
  let text: String
  /// The origin of the URL.
  let origin: Origin
  /// The URL as shown in messages, without the query, which may contain tokens.
  let redacted: String

  /// Parses an absolute http or https URL; nil for any other text.
  init?(_ text: String) {
    self.init(text, base: nil)
  }

  /// Resolves a reference relative to this URL (RFC 3986, section 5); nil unless the result is an
  /// http or https URL.
  ///
  /// `http:/path` of the same scheme has no host and refers to this one, as in browsers (RFC 3986,
  /// section 5.2.2). libcurl would take `path` for the host.
  func resolving(_ reference: String) -> RequestURL? {
    let scheme = "\(origin.scheme):"
    guard reference.lowercased().hasPrefix(scheme) else {
      return RequestURL(reference, base: text)
    }
    let rest = reference.dropFirst(scheme.count)
    let isRelative = !rest.isEmpty && !rest.hasPrefix("//")
    return RequestURL(isRelative ? String(rest) : reference, base: text)
  }

  private init?(_ text: String, base: String?) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    if let base, curl_url_set(url, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
    let escaping = UInt32(CURLU_URLENCODE)
    guard curl_url_set(url, CURLUPART_URL, text, base == nil ? 0 : escaping) == CURLUE_OK else {
      return nil
    }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      curl_url_set(url, part, nil, 0)
    }
    guard let scheme = Self.part(of: url, CURLUPART_SCHEME), scheme == "http" || scheme == "https",
      let host = Self.part(of: url, CURLUPART_HOST), !host.isEmpty,
      let port = Self.part(of: url, CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)),
      let whole = Self.part(of: url, CURLUPART_URL)
    else { return nil }
    self.text = whole
    origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
    redacted = URLRedaction.redacted(whole)
  }

  /// The names of parameters that sign a URL for a limited time.
  private static let signatures: Set<Substring> = [
    "expires", "exp", "hdnea", "hdnts", "hmac", "sig", "signature", "token",
  ]

  /// Whether a parameter of the path or query signs the URL for a limited time: `Signature=`,
  /// `X-Amz-Expires=`, `;token=`.
  var hasSignature: Bool {
    let pieces = text.lowercased().split { "?&;".contains($0) }.dropFirst()
    return pieces.contains { piece in
      let name = piece.prefix { $0 != "=" }
      let last = name.split(separator: "-").last ?? name
      return name.endIndex < piece.endIndex && Self.signatures.contains(last)
    }
  }

  /// The URL in the form that host memories use.
  var hosted: HostedURL { HostedURL(host: origin.name, key: StableHash.of(text)) }

  /// The parts for composing the URL of a neighbouring file. They are the path up to its last
  /// slash, the name after it, and the query with its question mark. Name and query may be empty.
  var pieces: (folder: String, name: String, query: String) {
    let path = text.prefix { $0 != "?" }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.endIndex
    return (String(path[..<slash]), String(path[slash...]), String(text[path.endIndex...]))
  }

  /// Whether the host as written is loopback or private.
  var isInner: Bool { AddressScope.isInner(host: origin.host) }

  private static func part(of url: OpaquePointer, _ part: CURLUPart, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
