// The only redactor, for every place that shows text given as a URL: messages, ids in rows, logs,
// records of failures. A valid URL shows its origin and path. Text that is not a valid URL may
// contain a password anywhere, because an unescaped `/`, `?` or `#` in a password ends the
// authority early. Therefore everything up to the last `@` is dropped. If an `@` follows a `?` or
// `#`, only the scheme is shown.

/// Removes user info, query and fragment from URLs (RFC 3986, section 3) before they are shown.
package enum URLRedaction {
  /// Replaces removed text if the remaining text alone would be misleading.
  private static let mark = "…"

  /// Returns a URL without user info, query and fragment.
  ///
  /// The text need not be a valid URL. For an invalid one, more than necessary may be removed.
  package static func redacted(_ text: String) -> String {
    do throws(Failure) {
      return redacted(try WebURL(text))
    } catch {
      return redacted(unparsed: text)
    }
  }

  /// Returns the redacted form of a parsed URL: origin and path.
  package static func redacted(_ url: WebURL) -> String {
    url.origin + withoutNestedUserInfo(url.path)
  }

  /// Returns the redacted form of an operand that may be a file, an id or a URL.
  ///
  /// Text that cannot be a URL is returned unchanged: `?` and `#` are common in file names.
  package static func redacted(operand text: String) -> String {
    if mayBeURL(text) { return redacted(text) }
    // In a URL without its scheme, these characters begin the removed text.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
      let url = SourceAdvice.withScheme(text)
    else { return text }
    return String(redacted(url).dropFirst("https://".count))
  }

  /// Whether the text has the form of a URL, or of one without a scheme but with user info.
  private static func mayBeURL(_ text: String) -> Bool {
    // Each form has a colon; ids have none, and every row of output redacts its id.
    guard text.utf8.contains(UInt8(ascii: ":")) else { return false }
    if text.contains("://") { return true }
    let name = text.utf8.prefix(while: isSchemeByte)
    if name.count > 1, text.utf8.dropFirst(name.count).first == UInt8(ascii: ":"),
      text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
    {
      return true
    }
    guard let at = text.unicodeScalars.lastIndex(where: isAt) else { return false }
    return text.unicodeScalars[..<at].contains(":")
  }

  /// Returns the redacted form of text that is not a valid URL, removing too much rather than too
  /// little.
  static func redacted(unparsed text: String) -> String {
    let scheme = scheme(of: text)
    let rest = text.unicodeScalars.dropFirst(scheme.unicodeScalars.count)
    let front = rest.prefix { $0 != "?" && $0 != "#" }
    guard !rest[front.endIndex...].contains(where: isAt) else { return scheme + mark }
    let shown = front.lastIndex(where: isAt).map { front[front.index(after: $0)...] } ?? front
    return scheme.isEmpty ? String(shown) : scheme + withoutFalsePort(shown)
  }

  /// Returns the scheme with its `://`; empty if the text does not begin with one.
  private static func scheme(of text: String) -> String {
    let name = text.utf8.prefix(while: isSchemeByte)
    let end = "://"
    guard !name.isEmpty, text.utf8.dropFirst(name.count).starts(with: end.utf8) else { return "" }
    return String(Substring(name)) + end
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || "+-.".utf8.contains(byte)
  }

  /// Removes text after the host that is not a port: the password of a URL that lost its `@`.
  private static func withoutFalsePort(
    _ text: Substring.UnicodeScalarView
  ) -> String {
    let authority = text.prefix { $0 != "/" && $0 != "\\" }
    let bracket = authority.lastIndex(of: "]") ?? authority.startIndex
    guard let colon = authority[bracket...].firstIndex(of: ":") else { return String(text) }
    let port = authority[authority.index(after: colon)...]
    guard !port.allSatisfy({ ("0"..."9").contains($0) }) else { return String(text) }
    return mark
  }

  /// Removes the user info of URLs nested in a path, as in the URLs of web archives.
  private static func withoutNestedUserInfo(_ path: String) -> String {
    guard path.contains("://"), path.contains("@") else { return path }
    var kept = ""
    var rest = path[...]
    while let slashes = rest.firstRange(of: "://") {
      kept += rest[..<slashes.upperBound]
      rest = rest[slashes.upperBound...]
      // The password may contain `/`, and a nested URL may follow: everything up to the last `@` is
      // removed.
      let end = rest.firstRange(of: "://")?.lowerBound ?? rest.endIndex
      guard let at = rest[..<end].lastIndex(of: "@") else { continue }
      rest = rest[rest.index(after: at)...]
    }
    return kept + rest
  }

  /// Whether a character is `@` or a look-alike that the user may have typed for it.
  private static func isAt(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "@" || scalar == "\u{FF20}" || scalar == "\u{FE6B}"
  }
}
