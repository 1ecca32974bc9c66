import CCurl
import VmxModel

/// A URL as libcurl reads it, so that what is checked is what is asked.
struct RequestURL: Sendable, Equatable {
  /// Scheme, host and port: what credentials belong to (RFC 6454).
  struct Origin: Sendable, Hashable {
    let scheme: String
    let host: String
    let port: String

    /// As records of all processes name it.
    var name: HostName { HostName(host: host, port: port) }
  }

  /// The URL to ask, without user, password and fragment.
  let text: String
  /// Where it leads.
  let origin: Origin
  /// The URL as messages show it: without the query, which may hold tokens.
  let shown: String

  /// Reads an absolute http or https URL; nil for anything else.
  init?(_ text: String) {
    self.init(text, base: nil)
  }

  /// Reads a reference relative to this URL (RFC 3986, section 5); nil if it does not lead to an
  /// http or https URL.
  func resolving(_ reference: String) -> RequestURL? {
    RequestURL(reference, base: self.text)
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
    guard let scheme = Self.part(url, CURLUPART_SCHEME), scheme == "http" || scheme == "https",
      let host = Self.part(url, CURLUPART_HOST), !host.isEmpty,
      let port = Self.part(url, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)),
      let whole = Self.part(url, CURLUPART_URL)
    else { return nil }
    self.text = whole
    origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
    shown = URLRedaction.redacted(whole)
  }

  /// What may be put together anew for a neighbour: all up to the last slash of the path, the name
  /// behind it, and the query with its question mark; name and query may be empty.
  var pieces: (folder: String, name: String, query: String) {
    let path = text.prefix { $0 != "?" }
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.endIndex
    return (String(path[..<slash]), String(path[slash...]), String(text[path.endIndex...]))
  }

  /// Whether the host as it is written leads into a loopback or private net.
  var isInner: Bool {
    let name = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    return AddressReach(text: name) == .inner
  }

  private static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String?
  {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
