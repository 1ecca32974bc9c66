// Each record has one table: the cases of its `Field`, with the keys, and `code`, with the property
// and form of each value. Decoding, encoding, listings, filters and summaries all use it.

/// A record whose fields are defined once for both directions.
///
///     struct Lesson: LenientRecord {
///       enum Field: String, RecordField { case title, season, keep }
///       static let fields = FieldSet<Field>(Field.allCases)
///       static var blank: Lesson { Lesson() }
///       var title = ""
///       var season: Int64?
///       var isKept = false
///
///       mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem) {
///         switch field {
///         case .title: try coder.field(&title, absent: "")
///         case .season: try coder.field(&season)
///         case .keep: try coder.field(&isKept, omitting: false)
///         }
///       }
///     }
package protocol FieldRecord: FieldValue {
  /// The keys, in the order in which they are written.
  associatedtype Field: RecordField
  /// All fields.
  static var fields: FieldSet<Field> { get }
  /// A record before any field is decoded.
  static var blank: Self { get }
  /// Unknown fields of other versions, kept unchanged.
  var extra: JSONObject { get set }
  /// The unknown fields that are written.
  var writtenExtra: JSONObject { get }
  /// Returns the fields to decode of a record within another one.
  static func fields(in context: RecordContext) -> FieldSet<Field>
  /// Passes a field to a coder, which sets it or reads it.
  mutating func code<C: FieldCoder>(_ field: Field, _ coder: inout C) throws(C.Problem)
}

/// Decodes or encodes the fields of a record.
package protocol FieldCoder {
  associatedtype Problem: Error
  /// Codes a field that is always written; if it is absent, it gets the given value.
  mutating func field<V: FieldValue>(
    _ value: inout V, absent: @autoclosure () -> V
  ) throws(Problem)
  /// Codes a field without which the record is invalid, and which is always written. A malformed
  /// element makes it malformed, in a lenient record too.
  mutating func required<V: FieldValue>(_ value: inout V, _ rule: FieldRule<V>?) throws(Problem)
  /// Codes a field that is written unless it is nil.
  mutating func field<V: FieldValue>(_ value: inout V?, _ rule: FieldRule<V>?) throws(Problem)
  /// Codes a field that is omitted if it equals the given value, which its absence means.
  mutating func field<V: FieldValue & Equatable>(
    _ value: inout V, omitting absent: @autoclosure () -> V
  ) throws(Problem)
}

extension FieldCoder {
  /// Codes a field of any valid value that is written unless it is nil.
  package mutating func field<V: FieldValue>(_ value: inout V?) throws(Problem) {
    try field(&value, nil)
  }

  /// Codes a field of any valid value without which the record is invalid.
  package mutating func required<V: FieldValue>(_ value: inout V) throws(Problem) {
    try required(&value, nil)
  }
}

/// A record that only this library reads: one that a crash, another version or an editor has
/// changed must not stop a tool.
///
/// A malformed field counts as absent, so it gets its default, and unknown fields are dropped. A
/// record without a required field is no record.
package protocol LenientRecord: FieldRecord {}

extension LenientRecord {
  /// Always empty: unknown fields are dropped.
  package var extra: JSONObject {
    get { JSONObject() }
    set {}
  }

  /// Decodes the fields of an object; nil if a required field is absent or malformed.
  package init?(reading object: JSONObject) {
    self.init(reading: JSONValue.object(object))
  }

  /// Decodes the fields of an object; nil for another value, and if a required field is absent or
  /// malformed.
  package init?(reading value: some JSONSource) {
    guard value.isObject else { return nil }
    self = Self.blank
    do throws(Failure) {
      try decode(value, Self.fields, in: RecordContext(subject: "", isLenient: true))
    } catch {
      return nil
    }
  }
}

extension FieldRecord {
  package static var expected: String { "an object" }
  package static func fields(in context: RecordContext) -> FieldSet<Field> { fields }
  package var writtenExtra: JSONObject { extra }

  package static func decode(
    _ value: some JSONSource, in context: RecordContext
  ) throws(Failure) -> Self? {
    guard value.isObject else { return nil }
    var record = blank
    try record.decode(value, fields(in: context), in: context)
    return record
  }

  /// Decodes a set of fields and leaves the others unchanged. If the set has all fields, unknown
  /// ones are kept in `extra`.
  ///
  /// - Throws: an error of the context's code if a field has an invalid type or value.
  mutating func decode<Source: JSONSource>(
    _ object: Source, _ set: FieldSet<Field>, in context: RecordContext
  ) throws(Failure) {
    var decoder = FieldDecoder<Source>(keys: set.names, context: context)
    var next = 0
    var seen: UInt64 = 0
    var failure: Failure?
    object.forEachField { key, value in
      guard let position = key.withUTF8({ set.index(of: $0, &next) }) else {
        if set.isComplete { extra.append(key.string ?? "", value.value) }
        return true
      }
      guard position >= set.skipped else { return true }
      seen |= 1 << UInt64(position)
      decoder.keyIndex = position
      decoder.value = value
      do throws(Failure) {
        try code(set.fields[position - set.skipped], &decoder)
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    // The default of an absent field may depend on other fields, so absent fields are decoded last.
    decoder.value = nil
    for (index, field) in set.fields.enumerated() {
      decoder.keyIndex = set.skipped + index
      if seen & 1 << UInt64(decoder.keyIndex) == 0 { try code(field, &decoder) }
    }
  }

  /// The JSON object of the record, without keys that belong to others.
  package var record: JSONObject {
    var copy = self
    var writer = FieldTreeWriter()
    var object = JSONObject()
    for field in Self.fields.fields {
      writer.value = nil
      copy.code(field, &writer)
      object.append(field.rawValue, writer.value)
    }
    for field in writtenExtra.fields { object.append(field.key, field.value) }
    return object
  }

  package var json: JSONValue { .object(record) }

  package func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    appendFields(to: &bytes, isFirst: true)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends the fields as JSON text, each but the first preceded by a comma.
  func appendFields(to bytes: inout [UInt8], isFirst: Bool) {
    var copy = self
    var writer = FieldTextWriter(bytes: bytes, isFirst: isFirst)
    // The writer must hold the only reference, or its first append copies all bytes.
    bytes = []
    for (position, field) in Self.fields.fields.enumerated() {
      writer.key = Self.fields.names[Self.fields.skipped + position]
      copy.code(field, &writer)
    }
    for field in writtenExtra.fields { writer.write(field) }
    bytes = writer.bytes
  }

  /// Returns the JSON values of fields, nil for omitted fields.
  package func json(of fields: [Field]) -> [JSONValue?] {
    var copy = self
    var writer = FieldTreeWriter()
    return fields.map { field in
      writer.value = nil
      copy.code(field, &writer)
      return writer.value
    }
  }
}

/// Sets the fields of a record from their parsed values.
private struct FieldDecoder<Source: JSONSource>: FieldCoder {
  typealias Problem = Failure
  let keys: [String]
  let context: RecordContext
  /// The position of the field among the keys.
  var keyIndex = 0
  var value: Source?

  func field<V: FieldValue>(_ value: inout V, absent: @autoclosure () -> V) throws(Failure) {
    value = try decoded(nil) ?? absent()
  }

  func required<V: FieldValue>(_ value: inout V, _ rule: FieldRule<V>?) throws(Failure) {
    var strict = context
    strict.isLenient = false
    guard let found = try decoded(rule, in: strict) else {
      throw context.invalid(keys[keyIndex], rule?.expected ?? V.expected)
    }
    value = found
  }

  func field<V: FieldValue>(_ value: inout V?, _ rule: FieldRule<V>?) throws(Failure) {
    value = try decoded(rule)
  }

  func field<V: FieldValue & Equatable>(
    _ value: inout V, omitting absent: @autoclosure () -> V
  ) throws(Failure) {
    value = try decoded(nil) ?? absent()
  }

  private func decoded<V: FieldValue>(_ rule: FieldRule<V>?) throws(Failure) -> V? {
    guard context.isLenient else { return try decoded(rule, in: context) }
    do throws(Failure) {
      return try decoded(rule, in: context)
    } catch {
      return nil
    }
  }

  private func decoded<V: FieldValue>(
    _ rule: FieldRule<V>?, in context: RecordContext
  ) throws(Failure) -> V? {
    guard let value, !value.isNull else { return nil }
    guard let decoded = try V.decode(value, in: context), rule?.isValid(decoded) ?? true else {
      throw context.invalid(keys[keyIndex], rule?.expected ?? V.expected)
    }
    return decoded
  }
}

/// Collects the value of one field as a tree.
private struct FieldTreeWriter: FieldCoder {
  typealias Problem = Never
  var value: JSONValue?

  mutating func field<V: FieldValue>(_ value: inout V, absent: @autoclosure () -> V) {
    self.value = value.json
  }

  mutating func required<V: FieldValue>(_ value: inout V, _ rule: FieldRule<V>?) {
    self.value = value.json
  }

  mutating func field<V: FieldValue>(_ value: inout V?, _ rule: FieldRule<V>?) {
    self.value = value?.json
  }

  mutating func field<V: FieldValue & Equatable>(
    _ value: inout V, omitting absent: @autoclosure () -> V
  ) {
    self.value = value == absent() ? nil : value.json
  }
}

/// Appends fields as JSON text; building a tree would cost more than the rest of a line.
private struct FieldTextWriter: FieldCoder {
  typealias Problem = Never
  private(set) var bytes: [UInt8]
  var key = ""
  private var isFirst: Bool

  init(bytes: [UInt8], isFirst: Bool) {
    self.bytes = bytes
    self.isFirst = isFirst
  }

  mutating func field<V: FieldValue>(_ value: inout V, absent: @autoclosure () -> V) {
    begin()
    value.append(to: &bytes)
  }

  mutating func required<V: FieldValue>(_ value: inout V, _ rule: FieldRule<V>?) {
    begin()
    value.append(to: &bytes)
  }

  mutating func field<V: FieldValue>(_ value: inout V?, _ rule: FieldRule<V>?) {
    guard let value else { return }
    begin()
    value.append(to: &bytes)
  }

  mutating func field<V: FieldValue & Equatable>(
    _ value: inout V, omitting absent: @autoclosure () -> V
  ) {
    guard value != absent() else { return }
    begin()
    value.append(to: &bytes)
  }

  /// Appends an unknown field, whose key may need escapes.
  mutating func write(_ field: JSONObject.Field) {
    separate()
    JSONWriter.append(text: field.key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    JSONWriter.append(field.value, to: &bytes)
  }

  private mutating func begin() {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }
}
