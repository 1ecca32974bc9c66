import VmxJSON
import VmxModel

/// Reads the fields of a licence provider's document: strict JSON without duplicate keys, bounded
/// in size and depth.
struct DocumentReader {
  /// The maximum nesting depth.
  static let maxDepth = 64
  /// The number of Unicode scalars kept of a text for the user.
  static let maxTextLength = 300
  /// The maximum length of an id, a rel or an address, in bytes.
  static let maxNameLength = 4096

  let object: JSONObject
  /// The name of the document in messages.
  let name: String

  /// Parses a document. Ignores a leading byte order mark.
  ///
  /// - Parameter limit: the maximum size in bytes.
  /// - Throws: `not-a-licence`.
  init(_ bytes: [UInt8], limit: Int, _ name: String) throws(Failure) {
    self.name = name
    guard bytes.count <= limit else {
      throw Failure(.notALicence, "the \(name) has more than \(limit) bytes")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard Self.depth(of: text) <= Self.maxDepth else {
      throw Failure(.notALicence, "the \(name) is nested more than \(Self.maxDepth) levels deep")
    }
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONParser().parse(text)
    } catch {
      // The reason may repeat a key of the document.
      let reason = String(error.reason.unicodeScalars.prefix(80))
      throw Failure(.notALicence, "the \(name) is not JSON: \(reason)")
    }
    guard let object = value.object else {
      throw Failure(.notALicence, "the \(name) is not a JSON object")
    }
    self.object = object
  }

  /// Creates a reader for an object within a document.
  init(_ object: JSONObject, _ name: String) {
    self.object = object
    self.name = name
  }

  /// Returns the value of a key; nil if it is absent or null.
  func value(_ key: String) -> JSONValue? {
    guard let value = object[key], value != .null else { return nil }
    return value
  }

  /// Returns a text that is not empty.
  ///
  /// - Throws: `not-a-licence` if the value is absent, empty or of another type.
  func text(_ key: String) throws(Failure) -> String {
    guard let text = try optionalText(key), !text.isEmpty else { throw invalid(key, "a text") }
    return text
  }

  /// Returns a text; nil if it is absent.
  ///
  /// - Throws: `not-a-licence` if the value has another type or exceeds `maxNameLength`.
  func optionalText(_ key: String) throws(Failure) -> String? {
    guard let value = value(key) else { return nil }
    guard let text = value.string, text.utf8.count <= Self.maxNameLength else {
      throw invalid(key, "a text")
    }
    return text
  }

  /// Returns a text for the user, truncated; nil if it is absent or not a text.
  func userText(_ key: String) -> String? {
    value(key)?.string.map { String($0.unicodeScalars.prefix(Self.maxTextLength)) }
  }

  /// Returns a time.
  ///
  /// - Throws: `not-a-licence` if the value is absent or not an RFC 3339 date-time.
  func time(_ key: String) throws(Failure) -> Timestamp {
    guard let time = try optionalTime(key) else { throw invalid(key, "a date and time") }
    return time
  }

  /// Returns a time; nil if it is absent.
  ///
  /// - Throws: `not-a-licence` if the value is not an RFC 3339 date-time. Such a value never means
  ///   'no end'.
  func optionalTime(_ key: String) throws(Failure) -> Timestamp? {
    guard let value = object[key] else { return nil }
    guard let time = value.string.flatMap({ Timestamp($0) }) else {
      throw invalid(key, "a date and time with an offset")
    }
    return time
  }

  /// Returns an object.
  ///
  /// - Throws: `not-a-licence` if the value is absent or of another type.
  func object(_ key: String) throws(Failure) -> DocumentReader {
    guard let found = try optionalObject(key) else { throw invalid(key, "an object") }
    return found
  }

  /// Returns an object; nil if it is absent.
  ///
  /// - Throws: `not-a-licence` if the value has another type.
  func optionalObject(_ key: String) throws(Failure) -> DocumentReader? {
    guard let value = value(key) else { return nil }
    guard let object = value.object else { throw invalid(key, "an object") }
    return DocumentReader(object, name)
  }

  /// Returns the links of `links`.
  ///
  /// - Throws: `not-a-licence` if the value is absent or not an array of links.
  func links() throws(Failure) -> [LicenceLink] {
    guard let values = value("links")?.array else { throw invalid("links", "an array of links") }
    var links: [LicenceLink] = []
    for value in values {
      guard let object = value.object else { throw invalid("links", "an array of links") }
      links.append(try LicenceLink(DocumentReader(object, name)))
    }
    return links
  }

  /// Returns the failure for an invalid field.
  func invalid(_ key: String, _ expected: String) -> Failure {
    Failure(.notALicence, "field '\(key)' of the \(name) is not \(expected)")
  }

  /// Returns the nesting depth without parsing the text.
  private static func depth(of text: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    var isInText = false
    var isEscaped = false
    for byte in text {
      if isEscaped {
        isEscaped = false
      } else if isInText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInText = false }
      } else if byte == UInt8(ascii: "\"") {
        isInText = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
        deepest = max(deepest, depth)
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
      }
    }
    return deepest
  }
}
