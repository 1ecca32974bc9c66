/// Validates the text of a proxy setting.
enum ProxyText {
  private static let schemes: Set<String> = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Whether the text is `none`, or a URL with a proxy scheme and a host.
  static func isProxy(_ text: String) -> Bool {
    if text == "none" { return true }
    guard let mark = text.firstRange(of: "://"),
      schemes.contains(text[..<mark.lowerBound].lowercased())
    else { return false }
    let authority = text[mark.upperBound...].prefix { $0 != "/" }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return !host.isEmpty && !host.hasPrefix(":")
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
  }
}
