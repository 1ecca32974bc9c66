/// An absolute http or https URL in normal form, with its user and password separated.
///
/// Scheme and host are in lower case, a default port is omitted, and dot segments are resolved.
/// Bytes that are not allowed in a URL are percent-encoded, and the fragment is removed. Two
/// spellings of one address therefore have the same text. No network access. (RFC 3986; the encoded
/// characters are those of the WHATWG URL standard's path and query sets.)
package struct WebURL: Sendable, Hashable {
  /// `http` or `https`.
  package let scheme: String
  /// The host in lower case; an IPv6 address in square brackets.
  package let host: String
  /// The given port, else the default port of the scheme.
  package let port: Int
  /// The percent-encoded path, always beginning with `/`.
  package let path: String
  /// The percent-encoded query without `?`; nil if there is none.
  package let query: String?
  /// The decoded user name, if the URL had one. Secret: only for the secrets file.
  package let user: String?
  /// The decoded password, if the URL had one. Secret: only for the secrets file.
  package let password: String?
  /// The whole URL without user, password and fragment, as stored in records.
  package let text: String

  /// Parses an absolute URL.
  ///
  /// - Throws: `bad-url` for text that is not an absolute URL; `source-unsupported` for other
  ///   schemes and for playlists (m3u8, mpd) and torrents. Messages contain neither passwords nor
  ///   queries.
  package init(_ text: String) throws(Failure) {
    var reader = try WebURLReader(text)
    scheme = try reader.scheme()
    let authority = try reader.authority()
    (user, password) = try reader.credentials(in: authority)
    (host, port) = try reader.hostAndPort(in: authority, of: scheme)
    path = WebURLReader.normalised(path: reader.path())
    query = reader.query()
    let front = "\(Self.origin(scheme, host: host, port: port))\(path)"
    self.text = query.map { "\(front)?\($0)" } ?? front
    if let kind = WebURL.unsupported[fileExtension] {
      throw Failure(
        .sourceUnsupported, "'\(URLRedaction.redacted(self))' is \(kind), not a file",
        hint: fileExtension == "torrent" ? SourceAdvice.torrent : SourceAdvice.stream)
    }
  }

  /// Parses an absolute URL; nil for text that `init(_:)` refuses.
  package init?(valid text: String) {
    do throws(Failure) {
      try self.init(text)
    } catch {
      return nil
    }
  }

  /// Whether a text is meant as a URL, valid or not, where a file or an id is also accepted.
  package static func isMeant(by text: String) -> Bool {
    text.contains("://") || ["magnet:", "data:"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Scheme, host and port: the scope of credentials.
  package var origin: String { Self.origin(scheme, host: host, port: port) }

  private static func origin(_ scheme: String, host: String, port: Int) -> String {
    let usual = scheme == "https" ? 443 : 80
    return port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
  }

  /// The URL without tracking parameters in its query; used to identify a source.
  package var withoutTracking: String {
    guard let query else { return text }
    let kept = query.split(separator: "&", omittingEmptySubsequences: false).filter {
      !Self.isTracking($0.prefix { $0 != "=" }.lowercased())
    }
    return kept.isEmpty ? origin + path : "\(origin)\(path)?\(kept.joined(separator: "&"))"
  }

  /// The last non-empty component of the path, decoded and without parameters such as
  /// `;token=…`; empty if there is none.
  package var lastPathComponent: String {
    let slash = UInt8(ascii: "/")
    let end = path.utf8.lastIndex { $0 != slash }.map { path.utf8.index(after: $0) }
    let front = path.utf8[..<(end ?? path.startIndex)]
    let start = front.lastIndex(of: slash).map { front.index(after: $0) } ?? front.startIndex
    let component = front[start...]
    let name = component.prefix { $0 != UInt8(ascii: ";") }
    let hasParameters = component[name.endIndex...].contains(UInt8(ascii: "="))
    let last = String(Substring(hasParameters ? name : component))
    return PercentCoding.decoded(last) ?? last
  }

  /// The last component of the path without its extension.
  package var stem: String {
    let name = lastPathComponent
    let ending = fileExtension
    return ending.isEmpty ? name : String(name.dropLast(ending.count + 1))
  }

  /// The file extension of the last component in lower case; empty unless it has one to eight ASCII
  /// letters and digits.
  package var fileExtension: String {
    let name = lastPathComponent
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return ""
    }
    let ending = Substring(name.utf8[dot...].dropFirst()).lowercased()
    return SafeName.isExtension(ending) ? ending : ""
  }

  private static let unsupported = [
    "m3u8": "an HLS playlist", "m3u": "a playlist", "mpd": "a DASH playlist",
    "torrent": "a torrent",
  ]

  private static let tracking: Set<String> = [
    "fbclid", "gclid", "gbraid", "wbraid", "dclid", "msclkid", "yclid", "twclid", "ttclid",
    "igshid", "igsh", "mc_cid", "mc_eid", "mkt_tok", "oly_anon_id", "oly_enc_id", "vero_id",
    "_hsenc", "_hsmi", "_ga", "_gl",
  ]

  private static func isTracking(_ name: String) -> Bool {
    name.hasPrefix("utm_") || tracking.contains(name)
  }
}
