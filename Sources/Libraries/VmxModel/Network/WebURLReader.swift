import Glibc

/// Parses a URL from start to end; errors contain the rejected text without its secrets.
struct WebURLReader {
  private static let schemeMarks = ASCIISet("+-.")
  private static let authorityEnds = ASCIISet("/?#")
  private static let hostMarks = ASCIISet("-._")
  private static let pathEnds = ASCIISet("?#")
  private static let codedInPaths = ASCIISet(#""<>^`{}\"#)
  private static let codedInQueries = ASCIISet(#""<>'"#)

  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) throws(Failure) {
    self.text = text
    rest = Substring(text).utf8
    guard !text.isEmpty else { throw Failure(.badURL, "the URL is empty") }
    guard Self.isPrintableASCII(text) || text.unicodeScalars.allSatisfy(Self.isPrintable) else {
      throw invalid("contains blanks or control characters")
    }
  }

  /// Parses `http://` or `https://`.
  mutating func scheme() throws(Failure) -> String {
    let name = rest.prefix { $0.isASCIIAlphanumeric || Self.schemeMarks.contains($0) }
    let after = rest.dropFirst(name.count)
    guard name.count > 1, after.first == UInt8(ascii: ":"),
      name.first?.isASCIIDigit != true, after.dropFirst().first?.isASCIIDigit != true
    else { throw invalid("is not an absolute URL") }
    let scheme = Self.lowercased(Substring(name))
    guard scheme == "http" || scheme == "https" else {
      let advice = SourceAdvice.scheme(scheme)
      let what = advice.map { "\($0.what), not" } ?? "not"
      throw Failure(
        .sourceUnsupported,
        "'\(URLRedaction.redacted(unparsed: text))' is \(what) an http or https URL",
        hint: advice?.hint)
    }
    rest = after.dropFirst()
    guard rest.starts(with: "//".utf8) else { throw invalid("has no host") }
    rest = rest.dropFirst(2)
    return scheme
  }

  /// Parses everything up to the path, query or fragment.
  mutating func authority() throws(Failure) -> Substring {
    let authority = rest.prefix { !Self.authorityEnds.contains($0) }
    rest = rest.dropFirst(authority.count)
    // Browsers treat a backslash as a slash: a URL with one in its host is meant to mislead the
    // user.
    guard !authority.contains(UInt8(ascii: "\\")) else { throw invalid("has a '\\' in its host") }
    return Substring(authority)
  }

  /// The decoded user and password before the last `@` of the authority.
  func credentials(in authority: Substring) throws(Failure) -> (String?, String?) {
    guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return (nil, nil) }
    let pair = authority[..<at].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard pair.contains(where: { !$0.isEmpty }) else { return (nil, nil) }
    var decoded: [String] = []
    for half in pair {
      guard let text = PercentCoding.decoded(String(half)),
        !text.unicodeScalars.contains(where: Self.isControl)
      else { throw invalid("has a user or password that is not text") }
      decoded.append(text)
    }
    return (decoded[0], decoded.count > 1 ? decoded[1] : nil)
  }

  /// The host in lower case, and the given port or the default of the scheme.
  func hostAndPort(in authority: Substring, of scheme: String) throws(Failure) -> (String, Int) {
    let hostText = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map {
      authority[authority.utf8.index(after: $0)...]
    }
    let text = hostText ?? authority
    let bracket = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
    let colon = text[bracket...].utf8.firstIndex(of: UInt8(ascii: ":"))
    let host = try host(Self.lowercased(text[..<(colon ?? text.endIndex)]))
    let usual = scheme == "https" ? 443 : 80
    guard let colon else { return (host, usual) }
    let digits = text[colon...].utf8.dropFirst()
    if digits.isEmpty { return (host, usual) }
    guard digits.count <= 5, digits.allSatisfy({ $0.isASCIIDigit }),
      let port = Int(Substring(digits)),
      (1...65535).contains(port)
    else { throw invalid("has a port that is not from 1 to 65535") }
    return (host, port)
  }

  /// Returns the text in lower case, unchanged in the usual case.
  private static func lowercased(_ text: Substring) -> String {
    let isLower = text.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    return isLower ? String(text) : text.lowercased()
  }

  private func host(_ text: String) throws(Failure) -> String {
    guard !text.isEmpty else { throw invalid("has no host") }
    let host =
      text.utf8.first == UInt8(ascii: "[") ? Self.ipv6(text) : Self.isName(text) ? text : nil
    guard let host else { throw invalid("has an invalid host name") }
    return host
  }

  /// Parses the path.
  mutating func path() -> Substring {
    let path = rest.prefix { !Self.pathEnds.contains($0) }
    rest = rest.dropFirst(path.count)
    return Substring(path)
  }

  /// Parses the query; a fragment after it is ignored.
  mutating func query() -> String? {
    guard rest.first == UInt8(ascii: "?") else { return nil }
    return PercentCoding.coded(
      rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }, besides: Self.codedInQueries)
  }

  /// Resolves the dot segments of a path and percent-encodes bytes that are not allowed in it.
  static func normalised(path: Substring) -> String {
    let resolved = hasDotSegments(path) ? withoutDotSegments(path) : path
    return resolved.isEmpty ? "/" : PercentCoding.coded(resolved.utf8, besides: codedInPaths)
  }

  /// Whether a segment begins with a full stop, percent-encoded or not.
  private static func hasDotSegments(_ path: Substring) -> Bool {
    var isFirst = false
    for byte in path.utf8 {
      if isFirst, byte == UInt8(ascii: ".") || byte == UInt8(ascii: "%") { return true }
      isFirst = byte == UInt8(ascii: "/")
    }
    return false
  }

  private static func withoutDotSegments(_ path: Substring) -> Substring {
    var segments: [Substring] = []
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch Substring(part).lowercased() {
      case ".", "%2e":
        if isLast { segments.append("") }
      case "..", ".%2e", "%2e.", "%2e%2e":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(Substring(part))
      }
    }
    return "/" + segments.joined(separator: "/")
  }

  private func invalid(_ what: String) -> Failure {
    Failure(.badURL, "'\(URLRedaction.redacted(unparsed: text))' \(what)")
  }

  private static func isPrintableASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !isControl(scalar)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// Whether the labels consist of letters, digits, hyphens and underscores. Non-ASCII letters are
  /// left to the resolver (IDN), but not symbols that it could map to a dot or slash.
  private static func isName(_ host: String) -> Bool {
    guard (1...253).contains(host.utf8.count), host.utf8.first != UInt8(ascii: ".") else {
      return false
    }
    // A full stop may follow the last label; no other label is empty.
    var isEmpty = true
    for byte in host.utf8 {
      let isEnd = byte == UInt8(ascii: ".")
      if isEnd, isEmpty { return false }
      isEmpty = isEnd
    }
    return host.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else {
        return scalar.properties.isAlphabetic || scalar.properties.isGraphemeExtend
      }
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      return byte.isASCIIAlphanumeric || hostMarks.contains(byte)
    }
  }

  /// An address in square brackets in its canonical form (RFC 5952).
  private static func ipv6(_ host: String) -> String? {
    guard host.utf8.last == UInt8(ascii: "]") else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address) == 1 else {
      return nil
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil else { return nil }
    return "[\(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))]"
  }
}
