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
