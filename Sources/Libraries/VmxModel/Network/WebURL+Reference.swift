extension WebURL {
  /// Parses a reference in a document, which may be relative (RFC 3986, section 5).
  ///
  /// White space around it and line ends within it are ignored, and spaces within it are encoded,
  /// as in the URL standard. User and password of the base are not inherited.
  ///
  /// - Parameter base: the URL of the document.
  /// - Throws: as `init(_:)`.
  package init(reference: String, base: WebURL?) throws(Failure) {
    var text = reference
    text.unicodeScalars.removeAll { $0.value < 0x20 }
    text = String(text.drop { $0 == " " })
    while text.hasSuffix(" ") { text.removeLast() }
    text.replace(" ", with: "%20")
    guard let base, !Self.hasScheme(text), !text.isEmpty else {
      try self.init(text)
      return
    }
    if text.hasPrefix("//") {
      try self.init("\(base.scheme):\(text)")
    } else if text.hasPrefix("/") {
      try self.init(base.origin + text)
    } else if text.hasPrefix("?") {
      try self.init(base.origin + base.path + text)
    } else if text.hasPrefix("#") {
      try self.init(base.text)
    } else {
      let folder = base.path.prefix(through: base.path.lastIndex(of: "/") ?? base.path.startIndex)
      try self.init(base.origin + folder + text)
    }
  }

  /// Returns the URL with a user and password, which the caller has verified to belong to its
  /// origin.
  package func with(user: String, password: String) throws(Failure) -> WebURL {
    let coded = { (text: String) in text.utf8.map { "%" + Hex.text(of: [$0]) }.joined() }
    let rest = text.dropFirst(scheme.count + "://".count)
    return try WebURL("\(scheme)://\(coded(user)):\(coded(password))@\(rest)")
  }

  /// Whether a text begins with a scheme and a colon (RFC 3986, section 3.1).
  private static func hasScheme(_ text: String) -> Bool {
    let end = text.utf8.firstIndex { !($0.isASCIIAlphanumeric || [0x2B, 0x2D, 0x2E].contains($0)) }
    guard let end, text.utf8[end] == UInt8(ascii: ":"), let first = text.utf8.first else {
      return false
    }
    return first.isASCIIAlphanumeric && first > UInt8(ascii: "9")
  }
}
