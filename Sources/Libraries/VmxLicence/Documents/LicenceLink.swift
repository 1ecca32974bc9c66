package import VmxModel

/// A link of a licence or status document (Readium LCP 1.0, section 3.4).
package struct LicenceLink: Sendable, Equatable {
  /// The address or the address template.
  package let href: String
  /// The relations.
  package let rels: [String]
  /// The media type of the target.
  package let type: String?
  /// The title for the user.
  package let title: String?
  /// Whether `href` is a template (RFC 6570).
  package let isTemplated: Bool
  /// The URI of the encryption profile of the target.
  package let profile: String?
  /// The size of the target in bytes, as a hint.
  package let length: Int64?
  /// The SHA-256 of the target.
  package let hash: Digest?

  /// Decodes a link. Accepts an array for `rel`, a string for `length` and hexadecimal digits for
  /// `hash`, as in the specification's own example.
  ///
  /// - Throws: `not-a-licence`.
  init(_ reader: DocumentReader) throws(Failure) {
    href = try reader.text("href")
    if let list = reader.value("rel")?.array {
      rels = list.compactMap(\.string)
      guard !rels.isEmpty, rels.count == list.count else { throw reader.invalid("rel", "a text") }
    } else {
      rels = [try reader.text("rel")]
    }
    type = try reader.optionalText("type")?.lowercased()
    title = reader.userText("title")
    profile = try reader.optionalText("profile")
    guard let isTemplated = (reader.value("templated") ?? .bool(false)).bool else {
      throw reader.invalid("templated", "true or false")
    }
    self.isTemplated = isTemplated
    length = try Self.length(reader)
    hash = try Self.hash(reader)
  }

  private static func length(_ reader: DocumentReader) throws(Failure) -> Int64? {
    switch reader.value("length") {
    case nil: return nil
    case .integer(let length) where length >= 0: return length
    case .string(let text):
      if text.utf8.count < 20, text.utf8.allSatisfy(\.isASCIIDigit), let length = Int64(text) {
        return length
      }
      throw reader.invalid("length", "a number of bytes")
    default: throw reader.invalid("length", "a number of bytes")
    }
  }

  /// Parses a hexadecimal or Base64 SHA-256. They differ in length: 64 hexadecimal digits, 44
  /// Base64 characters.
  private static func hash(_ reader: DocumentReader) throws(Failure) -> Digest? {
    guard let text = try reader.optionalText("hash") else { return nil }
    let digest =
      text.utf8.count == 64 ? Digest(.sha256, hex: text) : Digest(.sha256, base64: text)
    guard let digest else { throw reader.invalid("hash", "a SHA-256") }
    return digest
  }

  /// Returns the address for a request, with the template variables replaced by values.
  ///
  /// - Parameters:
  ///   - base: the URL of the document. Links in a document received over https must be https too.
  ///   - values: the values by variable name.
  /// - Returns: the address; nil for another scheme, http in a document received over https,
  ///   credentials, or an unsupported template.
  package func address(_ values: [String: String] = [:], base: WebURL?) -> WebURL? {
    guard let text = isTemplated ? URITemplate.expanded(href, values) : href else { return nil }
    do throws(Failure) {
      let url = try WebURL(reference: text, base: base)
      guard url.user == nil, url.password == nil else { return nil }
      if base?.scheme == "https", url.scheme != "https" { return nil }
      return url
    } catch {
      return nil
    }
  }
}

extension [LicenceLink] {
  /// Returns the first link with the given relation.
  func first(_ rel: String) -> LicenceLink? { first { $0.rels.contains(rel) } }
}
