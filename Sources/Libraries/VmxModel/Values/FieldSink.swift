/// A receiver of an object's fields in the order in which they are written.
///
/// `FieldSource.write` defines the fields of a record once. One sink builds a JSON tree for
/// readers. Another writes text for the store, where a tree would cost more than the rest of a
/// line.
protocol FieldSink {
  /// Writes a text field unless it is nil; each key occurs once.
  mutating func field(_ key: StaticString, _ text: String?)
  /// Writes a number unless it is nil.
  mutating func field(_ key: StaticString, number: Int64?)
  /// Writes a Boolean unless it is nil.
  mutating func field(_ key: StaticString, flag: Bool?)
  /// Writes an array of texts.
  mutating func field(_ key: StaticString, texts: [String])
  /// Writes an object unless it is nil.
  mutating func field(_ key: StaticString, object: (some FieldSource)?)
  /// Writes an array of objects.
  mutating func field(_ key: StaticString, objects: [some FieldSource])
  /// Writes an unknown field unchanged.
  mutating func field(_ field: JSONObject.Field)
}

/// A value that is written as a JSON object.
protocol FieldSource {
  /// Writes the fields to the sink, unknown ones last.
  func write(to sink: inout some FieldSink)
}

extension JSONObject: FieldSink {
  /// Creates the JSON tree of a source.
  init(of source: some FieldSource) {
    self.init()
    source.write(to: &self)
  }

  mutating func field(_ key: StaticString, _ text: String?) { append(key.description, text) }

  mutating func field(_ key: StaticString, number: Int64?) {
    append(key.description, number.map { .integer($0) })
  }

  mutating func field(_ key: StaticString, flag: Bool?) {
    append(key.description, flag.map { .bool($0) })
  }

  mutating func field(_ key: StaticString, texts: [String]) {
    append(key.description, .array(texts.map { .string($0) }))
  }

  mutating func field(_ key: StaticString, object: (some FieldSource)?) {
    append(key.description, object.map { .object(JSONObject(of: $0)) })
  }

  mutating func field(_ key: StaticString, objects: [some FieldSource]) {
    append(key.description, .array(objects.map { .object(JSONObject(of: $0)) }))
  }

  mutating func field(_ field: JSONObject.Field) { append(field.key, field.value) }
}

/// Appends fields as JSON text to existing bytes, each preceded by a comma.
struct FieldWriter: FieldSink {
  private(set) var bytes: [UInt8]
  private var isFirst = false

  init(behind bytes: consuming [UInt8]) {
    self.bytes = bytes
  }

  mutating func field(_ key: StaticString, _ text: String?) {
    guard let text else { return }
    begin(key)
    JSONWriter.append(text: text, to: &bytes)
  }

  mutating func field(_ key: StaticString, number: Int64?) {
    guard let number else { return }
    begin(key)
    JSONWriter.append(.integer(number), to: &bytes)
  }

  mutating func field(_ key: StaticString, flag: Bool?) {
    guard let flag else { return }
    begin(key)
    JSONWriter.append(.bool(flag), to: &bytes)
  }

  mutating func field(_ key: StaticString, texts: [String]) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    isFirst = true
    for text in texts {
      separate()
      JSONWriter.append(text: text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    isFirst = false
  }

  mutating func field(_ key: StaticString, object: (some FieldSource)?) {
    guard let object else { return }
    begin(key)
    write(object)
  }

  mutating func field(_ key: StaticString, objects: [some FieldSource]) {
    begin(key)
    bytes.append(UInt8(ascii: "["))
    isFirst = true
    for object in objects {
      separate()
      write(object)
    }
    bytes.append(UInt8(ascii: "]"))
    isFirst = false
  }

  mutating func field(_ field: JSONObject.Field) {
    separate()
    JSONWriter.append(text: field.key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    JSONWriter.append(field.value, to: &bytes)
  }

  private mutating func write(_ object: some FieldSource) {
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    object.write(to: &self)
    bytes.append(UInt8(ascii: "}"))
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  /// Writes a static key, which contains no character that needs an escape.
  private mutating func begin(_ key: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }
}
