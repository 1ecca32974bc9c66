import Glibc

/// A value on the tape that simdjson generates for a document, for access without building a tree.
///
/// It belongs to its parser and is valid only within that parser's `withTape`.
package struct JSONTape {
  private let words: UnsafePointer<UInt64>
  private let strings: UnsafePointer<UInt8>
  private let index: Int

  /// Creates the view of the value at an index of a tape and its strings.
  package init(words: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
    self.words = words
    self.strings = strings
    self.index = index
  }

  private var kind: UInt8 { UInt8(truncatingIfNeeded: words[index] >> 56) }
  private var payload: Int { Int(truncatingIfNeeded: words[index] & 0x00FF_FFFF_FFFF_FFFF) }

  /// Whether the value is an object.
  package var isObject: Bool { kind == UInt8(ascii: "{") }
  /// Whether the value is an array.
  package var isArray: Bool { kind == UInt8(ascii: "[") }
  /// Whether the value is null.
  package var isNull: Bool { kind == UInt8(ascii: "n") }

  /// The UTF-8 bytes of a string; nil for other values. Valid as long as the tape.
  package var utf8: UnsafeBufferPointer<UInt8>? {
    guard kind == UInt8(ascii: "\"") else { return nil }
    let start = strings + payload
    let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: start + 4, count: Int(length))
  }

  /// The text of a string; nil for other values.
  package var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

  /// Whether the value is a string of exactly these bytes.
  package func equals(_ text: StaticString) -> Bool {
    guard let utf8, utf8.count == text.utf8CodeUnitCount, let start = utf8.baseAddress else {
      return false
    }
    return memcmp(text.utf8Start, start, utf8.count) == 0
  }

  /// The integer within `Int64`; nil for other values.
  package var integer: Int64? {
    kind == UInt8(ascii: "l") ? Int64(bitPattern: words[index + 1]) : nil
  }

  /// The Boolean; nil for other values.
  package var bool: Bool? {
    switch kind {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The index of the word after this value.
  private var next: Int {
    switch kind {
    case UInt8(ascii: "{"), UInt8(ascii: "["): payload & 0xFFFF_FFFF
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  private func at(_ index: Int) -> JSONTape {
    JSONTape(words: words, strings: strings, index: index)
  }

  /// Calls the body with each field of an object in order, until it returns false; does nothing for
  /// other values.
  @inline(__always)
  package func forEachField(_ body: (JSONTape, JSONTape) -> Bool) {
    guard isObject else { return }
    let end = next - 1
    var position = index + 1
    while position < end {
      let value = at(position + 1)
      if !body(at(position), value) { return }
      position = value.next
    }
  }

  package var elementCount: Int { isArray ? payload >> 32 : 0 }

  /// Calls the body with each element of an array in order, until it returns false; does nothing
  /// for other values.
  @inline(__always)
  package func forEachElement(_ body: (JSONTape) -> Bool) {
    guard isArray else { return }
    let end = next - 1
    var position = index + 1
    while position < end {
      let value = at(position)
      if !body(value) { return }
      position = value.next
    }
  }

  /// Returns the value of an object's key; nil if there is none or this is not an object.
  package func field(_ key: StaticString) -> JSONTape? {
    var found: JSONTape?
    forEachField { name, value in
      guard name.equals(key) else { return true }
      found = value
      return false
    }
    return found
  }

  /// The value as a JSON tree.
  package var value: JSONValue {
    switch kind {
    case UInt8(ascii: "{"): .object(object ?? JSONObject())
    case UInt8(ascii: "["): .array(elements)
    case UInt8(ascii: "\""): .string(string ?? "")
    case UInt8(ascii: "l"): .integer(Int64(bitPattern: words[index + 1]))
    case UInt8(ascii: "u"): .unsigned(words[index + 1])
    case UInt8(ascii: "d"): .double(Double(bitPattern: words[index + 1]))
    case UInt8(ascii: "t"): .bool(true)
    case UInt8(ascii: "f"): .bool(false)
    default: .null
    }
  }

  /// The fields of an object as trees; nil for other values.
  package var object: JSONObject? {
    guard isObject else { return nil }
    var fields: [JSONObject.Field] = []
    fields.reserveCapacity(payload >> 32)
    forEachField { name, value in
      fields.append((name.string ?? "", value.value))
      return true
    }
    return JSONObject(distinct: fields)
  }

  private var elements: [JSONValue] {
    var elements: [JSONValue] = []
    forEachElement { element in
      elements.append(element.value)
      return true
    }
    return elements
  }
}
