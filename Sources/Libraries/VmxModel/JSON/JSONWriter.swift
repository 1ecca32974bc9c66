/// An encoder of JSON values as compact UTF-8 text on one line.
///
/// Control characters are escaped, `/` and non-ASCII characters are not. Doubles are written in the
/// shortest form that decodes to the same number; values that JSON cannot represent become `null`.
package enum JSONWriter {
  /// Appends a value to the bytes, without a newline.
  package static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let truth): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .unsigned(let number): bytes.append(contentsOf: String(number).utf8)
    case .double(let number):
      bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    case .string(let text): append(text: text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        append(element, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): append(object, to: &bytes)
    }
  }

  /// Appends an object to the bytes, without a newline.
  package static func append(_ object: JSONObject, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var first = true
    for field in object.fields {
      if !first { bytes.append(UInt8(ascii: ",")) }
      first = false
      append(text: field.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      append(field.value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends a string in quotes.
  package static func append(text: String, to bytes: inout [UInt8]) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { text in
      var start = 0
      for position in text.indices where isEscaped(text[position]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<position]))
        append(escaped: text[position], to: &bytes)
        start = position + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func append(escaped byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
    case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
    case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
    case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
    default:
      bytes.append(contentsOf: #"\u00"#.utf8)
      bytes.append(Hex.digits[Int(byte >> 4)])
      bytes.append(Hex.digits[Int(byte & 15)])
    }
  }
}

extension JSONValue {
  /// The value as compact JSON text.
  package var text: String {
    var bytes: [UInt8] = []
    JSONWriter.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A parsed JSON value: a tree, or a view of the parser's memory. Records are decoded from either.
package protocol JSONSource {
  /// Whether the value is null.
  var isNull: Bool { get }
  /// Whether the value is an object.
  var isObject: Bool { get }
  /// Whether the value is an array.
  var isArray: Bool { get }
  /// The text of a string; nil for other values.
  var string: String? { get }
  /// The integer within `Int64`; nil for other values.
  var integer: Int64? { get }
  /// The Boolean; nil for other values.
  var bool: Bool? { get }
  /// The value as a tree.
  var value: JSONValue { get }
  /// Passes the UTF-8 of a string to the body; nil for other values.
  func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R?) -> R?
  /// Calls the body with each key and value of an object in order, until it returns false; does
  /// nothing for other values.
  func forEachField(_ body: (Self, Self) -> Bool)
  /// The number of elements of an array, or a smaller number if there are very many; 0 for other
  /// values.
  var elementCount: Int { get }
  /// Calls the body with each element of an array in order, until it returns false; does nothing
  /// for other values.
  func forEachElement(_ body: (Self) -> Bool)
}

extension JSONValue: JSONSource {
  package var isNull: Bool { self == .null }
  package var isObject: Bool { object != nil }
  package var isArray: Bool { array != nil }
  package var value: JSONValue { self }
  package var elementCount: Int { array?.count ?? 0 }

  package func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R?) -> R? {
    guard var text = string else { return nil }
    return text.withUTF8(body)
  }

  package func forEachField(_ body: (JSONValue, JSONValue) -> Bool) {
    for field in object?.fields ?? [] where !body(.string(field.key), field.value) { return }
  }

  package func forEachElement(_ body: (JSONValue) -> Bool) {
    for element in array ?? [] where !body(element) { return }
  }
}

extension JSONTape: JSONSource {
  package func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R?) -> R? { utf8.flatMap(body) }
}
