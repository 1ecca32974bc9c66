/// A type whose values are fields of records; its JSON form is defined once for both directions.
package protocol FieldValue: Sendable {
  /// The description of a valid value, such as `a string`, for messages.
  static var expected: String { get }
  /// Decodes a value that is not null; nil if it is not of this type.
  ///
  /// - Throws: the error of a field within the value.
  static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> Self?
  /// The value as a tree.
  var json: JSONValue { get }
  /// Appends the value as JSON text.
  func append(to bytes: inout [UInt8])
}

/// The record that a decoded field belongs to, for messages.
package struct RecordContext: Sendable {
  /// The name of the record or line.
  let subject: String
  /// The error code of a malformed field: `store-damaged` in the store, `bad-line` in the input.
  var code: ErrorCode = .storeDamaged
  /// The fields to decode of each part.
  var partFields = Part.fields
  /// Whether a malformed optional field or element counts as absent, see `LenientRecord`.
  var isLenient = false

  func invalid(_ key: String, _ expected: String) -> Failure {
    Failure(code, "field '\(key)' of '\(subject)' is not \(expected)")
  }
}

/// A condition that the values of one field satisfy beyond their type.
package struct FieldRule<Value: Sendable>: Sendable {
  let expected: String
  let isValid: @Sendable (Value) -> Bool

  /// Creates a rule with the description of a valid value.
  package init(_ expected: String, _ isValid: @escaping @Sendable (Value) -> Bool) {
    self.expected = expected
    self.isValid = isValid
  }
}

extension FieldRule<String> {
  /// A relative path that stays below its root.
  static let path = FieldRule("a path below a folder") { text in
    var text = text
    return text.withUTF8 { PathBytes.staysBelowRoot($0) }
  }
  /// A folder for media files below a root.
  static let mediaFolder = FieldRule(MediaFolder.allowed) { MediaFolder.isValid($0) }
  /// A BCP 47 language tag in the given spelling.
  static let languageTag = FieldRule("a language tag") { LanguageTag.isTag($0.utf8) }
}

extension FieldRule<Int64> {
  /// A duration in milliseconds; never 0.
  package static let duration = FieldRule("a number of milliseconds, 1 or more") { $0 > 0 }
  /// A number that is not negative.
  package static let natural = FieldRule("a whole number, 0 or more") { $0 >= 0 }
}

extension FieldValue {
  package func append(to bytes: inout [UInt8]) { JSONWriter.append(json, to: &bytes) }
}

extension FieldValue where Self: CaseIterable & RawRepresentable, RawValue == String {
  package static var expected: String {
    let names = allCases.count <= 20 ? allCases.map(\.rawValue) : []
    return names.isEmpty ? "a known value" : names.joined(separator: ", ")
  }

  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Self? {
    value.string.flatMap { Self(rawValue: $0) }
  }

  package var json: JSONValue { .string(rawValue) }
}

extension Want: FieldValue {}
extension VersionRule: FieldValue {}
extension WaitReason: FieldValue {}
extension Proof: FieldValue {}
extension PartRole: FieldValue {}
extension SubtitleFormat: FieldValue {}
extension PartState: FieldValue {}
extension EpisodeRemoval.Reason: FieldValue {}
extension ParentalRule.Unrated: FieldValue {}

extension String: FieldValue {
  package static let expected = "a string"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> String? {
    value.string
  }
  package var json: JSONValue { .string(self) }
  package func append(to bytes: inout [UInt8]) { JSONWriter.append(text: self, to: &bytes) }
}

extension Int64: FieldValue {
  package static let expected = "a whole number"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Int64? {
    value.integer
  }
  package var json: JSONValue { .integer(self) }
}

extension Bool: FieldValue {
  package static let expected = "true or false"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Bool? {
    value.bool
  }
  package var json: JSONValue { .bool(self) }
}

extension Timestamp: FieldValue {
  package static let expected = "an RFC 3339 time"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Timestamp? {
    value.string.flatMap { Timestamp($0) }
  }
  package var json: JSONValue { .string(text) }
}

extension CalendarDay: FieldValue {
  package static let expected = "a day as YYYY-MM-DD"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> CalendarDay? {
    value.string.flatMap { CalendarDay($0) }
  }
  package var json: JSONValue { .string(description) }
}

extension ByteCount: FieldValue {
  package static let expected = "a number of bytes"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> ByteCount? {
    value.integer.flatMap { ByteCount(ofFile: $0) }
  }
  package var json: JSONValue { .integer(bytes) }
}

/// A digest in a record is always SHA-256.
extension Digest: FieldValue {
  package static let expected = "64 hexadecimal digits"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> Digest? {
    value.withUTF8 { Hex.bytes(ofASCII: $0) }.flatMap { Digest(.sha256, bytes: $0) }
  }
  package var json: JSONValue { .string(hex) }
}

/// A hash is written in hexadecimal: a JSON number of 64 bits is not exact in every reader.
extension UInt64: FieldValue {
  package static let expected = "a hexadecimal number"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> UInt64? {
    value.string.flatMap { UInt64($0, radix: 16) }
  }
  package var json: JSONValue { .string(Hex.text(of: self)) }
}

extension EpisodeID: FieldValue {
  package static let expected = "an episode id"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> EpisodeID? {
    value.string.flatMap { EpisodeID(valid: $0) }
  }
  package var json: JSONValue { .string(description) }
}

extension IdentityKey: FieldValue {
  package static let expected = "a string"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> IdentityKey? {
    value.string.map { .key($0) }
  }
  package var json: JSONValue { .string(key) }
}

extension JSONObject: FieldValue {
  package static let expected = "an object"
  package static func decode(_ value: some JSONSource, in context: RecordContext) -> JSONObject? {
    value.isObject ? value.value.object : nil
  }
  package var json: JSONValue { .object(self) }
}

extension Array: FieldValue where Element: FieldValue {
  /// The plural of an element's description, which begins with an article.
  package static var expected: String {
    "an array of \(Element.expected.split(separator: " ").dropFirst().joined(separator: " "))s"
  }

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> [Element]? {
    guard value.isArray else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(value.elementCount)
    var failure: Failure?
    var isSound = true
    value.forEachElement { element in
      do throws(Failure) {
        guard let decoded = try Element.decode(element, in: context) else {
          isSound = context.isLenient
          return isSound
        }
        elements.append(decoded)
        return true
      } catch {
        if !context.isLenient { failure = error }
        return context.isLenient
      }
    }
    if let failure { throw failure }
    return isSound ? elements : nil
  }

  package var json: JSONValue { .array(map(\.json)) }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in self {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      element.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

/// An object whose keys are values too; written in their order.
extension Dictionary: FieldValue where Key == String, Value: FieldValue {
  package static var expected: String { "an object" }

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> [String: Value]? {
    guard value.isObject else { return nil }
    var values: [String: Value] = [:]
    for field in value.value.object?.fields ?? [] where values[field.key] == nil {
      do throws(Failure) {
        if let decoded = try Value.decode(field.value, in: context) {
          values[field.key] = decoded
        } else if !context.isLenient {
          return nil
        }
      } catch {
        if !context.isLenient { throw error }
      }
    }
    return values
  }

  package var json: JSONValue {
    let fields = sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) }
    return .object(JSONObject(distinct: fields))
  }
}
