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
      let place = fields.firstIndex { $0.key == key }
      switch (place, newValue) {
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
