/// A JSON value (RFC 8259) that keeps the order of keys, so that unknown fields are preserved
/// unchanged.
package enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only for integers above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)

  /// The text if the value is a string.
  package var string: String? {
    if case .string(let text) = self { return text }
    return nil
  }

  /// The number if the value is an integer within `Int64`.
  package var integer: Int64? {
    if case .integer(let number) = self { return number }
    return nil
  }

  /// The Boolean if the value is one.
  package var bool: Bool? {
    if case .bool(let truth) = self { return truth }
    return nil
  }

  /// The elements if the value is an array.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { return elements }
    return nil
  }

  /// The fields if the value is an object.
  package var object: JSONObject? {
    if case .object(let fields) = self { return fields }
    return nil
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// The fields of a JSON object in their order; keys are unique.
package struct JSONObject: Sendable, Hashable {
  package typealias Field = (key: String, value: JSONValue)

  /// The fields in the order in which they are written.
  package private(set) var fields: [Field]

  /// Creates an empty object.
  package init() {
    fields = []
  }

  /// Creates an object from fields with distinct keys, as a parser that rejects duplicates returns
  /// them.
  package init(distinct fields: [Field]) {
    self.fields = fields
  }

  /// The value of a key; setting nil removes the field, a new key is appended.
  package subscript(key: String) -> JSONValue? {
    get { fields.first { $0.key == key }?.value }
    set {
      let index = fields.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Appends a field unless its value is nil; the key must be new.
  package mutating func append(_ key: String, _ value: JSONValue?) {
    if let value { fields.append((key, value)) }
  }

  /// Appends a text field unless it is nil; the key must be new.
  package mutating func append(_ key: String, _ text: String?) {
    if let text { fields.append((key, .string(text))) }
  }

  /// Returns the fields whose keys are not among the given ones, in their order.
  package func without(_ known: Set<String>) -> JSONObject {
    JSONObject(distinct: fields.filter { !known.contains($0.key) })
  }

  package func hash(into hasher: inout Hasher) {
    for field in fields {
      hasher.combine(field.key)
      hasher.combine(field.value)
    }
  }

  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.fields.elementsEqual(right.fields) { $0.key == $1.key && $0.value == $1.value }
  }
}
