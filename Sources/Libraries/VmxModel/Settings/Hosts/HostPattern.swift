/// The host pattern of a section `[host "…"]`: `example.org`, `example.org:8080` or
/// `*.example.org`, which matches all names below the domain but not the domain itself.
struct HostPattern: Sendable, Equatable {
  /// The name, or the suffix including its leading dot, in lower case.
  let name: String
  let isSuffix: Bool
  /// The port to match; nil for all.
  let port: String?

  /// Parses a pattern; nil if it is malformed.
  init?(_ text: String) {
    var rest = Substring(text.lowercased())
    let close = rest.lastIndex(of: "]") ?? rest.startIndex
    if let colon = rest[close...].firstIndex(of: ":") {
      let digits = rest[rest.index(after: colon)...]
      guard let number = UInt16(digits), number > 0, String(number) == digits else { return nil }
      port = String(digits)
      rest = rest[..<colon]
    } else {
      port = nil
    }
    isSuffix = rest.hasPrefix("*.")
    if isSuffix { rest.removeFirst() }
    guard !rest.isEmpty, rest != ".", Self.isHost(rest) else { return nil }
    name = String(rest)
  }

  /// The specificity: a pattern with a greater weight takes precedence.
  var weight: (Int, Int, Int) { (isSuffix ? 0 : 1, name.utf8.count, port == nil ? 0 : 1) }

  /// Whether the pattern matches a host at a port. The host is in lower case, an IPv6 address in
  /// square brackets.
  func matches(_ host: String, port: String) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    guard isSuffix else { return host == name }
    return host.hasSuffix(name) && host.utf8.count > name.utf8.count
  }

  private static func isHost(_ text: Substring) -> Bool {
    if text.first == "[", text.last == "]" {
      return text.dropFirst().dropLast().utf8.allSatisfy {
        PercentCoding.isAlphanumeric($0) || ":.%".utf8.contains($0)
      }
    }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII
        ? PercentCoding.isAlphanumeric(UInt8($0.value)) || "-._".unicodeScalars.contains($0)
        : $0.properties.isAlphabetic || $0.properties.isGraphemeExtend
    }
  }
}
