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
  /// The number of elements of an array, or a smaller one if there are very many; 0 for other values.
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
