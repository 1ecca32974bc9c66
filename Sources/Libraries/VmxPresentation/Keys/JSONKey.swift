import VmxModel

/// The type of a value in JSON output, with its unit if it has one.
package enum JSONKeyType: String, Sendable, CaseIterable {
  /// Text.
  case text
  /// One of a fixed set of words.
  case word
  /// A time: RFC 3339 in UTC.
  case time
  /// A day: `YYYY-MM-DD`.
  case day
  /// A whole number.
  case number
  /// A number that may have decimals.
  case decimal
  /// A number of bytes.
  case bytes
  /// A number of bytes a second.
  case rate
  /// A number of milliseconds.
  case milliseconds
  /// `true` or `false`.
  case boolean
  /// A list.
  case list
  /// An object.
  case object

  /// The JSON type by name.
  package var name: String {
    switch self {
    case .text, .word, .time, .day: "string"
    case .number, .bytes, .rate, .milliseconds: "integer"
    case .decimal: "number"
    case .boolean: "boolean"
    case .list: "array"
    case .object: "object"
    }
  }

  /// Whether the value is a number, which a table aligns to the right.
  var isNumber: Bool { name == "integer" || name == "number" }

  /// The unit or format of the value; empty if the type is sufficient.
  package var unit: String {
    switch self {
    case .word: "word"
    case .time: "RFC 3339, UTC"
    case .day: "YYYY-MM-DD"
    case .bytes: "bytes"
    case .rate: "bytes/s"
    case .milliseconds: "ms"
    case .text, .number, .decimal, .boolean, .list, .object: ""
    }
  }
}

/// One key of JSON output.
package struct JSONKey: Sendable, Equatable {
  /// The path of the key from the top of the row: `parts[].size`.
  package let path: String
  /// The type of its value.
  package let type: JSONKeyType
  /// The meaning, as one phrase without a full stop.
  package let meaning: String

  init(_ path: String, _ type: JSONKeyType, meaning: String) {
    self.path = path
    self.type = type
    self.meaning = meaning
  }

  /// The meaning of `schema` in the first shapes of the manual.
  static let schema = "The version of the format: 1, until a key must change"

  /// Returns the first keys of every row.
  ///
  /// - Parameters:
  ///   - id: the meaning of the id.
  ///   - row: the meaning of `row`; nil for rows about episodes.
  static func head(_ id: String, row: String? = nil, schema: String = "1") -> [JSONKey] {
    [JSONKey("schema", .number, meaning: schema), JSONKey("id", .text, meaning: id)]
      + (row.map { [JSONKey("row", .word, meaning: $0)] } ?? [])
  }

  /// Returns the keys of fields after those of the head, and the keys within their values.
  static func keys<Field: ListingField>(of fields: [Field]) -> [JSONKey] {
    fields.filter { $0.rawValue != "id" && $0.rawValue != "row" }.flatMap { field in
      let key = field.key
      return [JSONKey(field.rawValue, key.type, meaning: key.meaning)] + key.keys
    }
  }
}

/// One shape of rows: the commands that print it, and its keys.
///
/// The keys of a shape are the recorded fields of its rows, which describe themselves. `vmx explain
/// --keys` and vmx-json(5) are generated from them. A scenario compares them with the commands'
/// output.
package struct JSONShape: Sendable {
  /// The name of the shape. In streams of several shapes, rows that concern no episode have it as
  /// the value of `row`.
  package let name: String
  /// The commands that print such rows, without `vmx-`; `any` for all. Empty if its keys occur only
  /// in rows of other shapes.
  package let tools: [String]
  /// The shapes whose keys the rows also have.
  package let bases: [String]
  /// The keys of the shape, without those of its bases.
  package let keys: [JSONKey]
  /// The meaning of a row, as one sentence without a full stop.
  package let meaning: String

  init(
    _ name: String, of tools: [String], with bases: [String] = [], meaning: String,
    keys: [JSONKey]
  ) {
    self.name = name
    self.tools = tools
    self.bases = bases
    self.meaning = meaning
    self.keys = keys
  }
}
