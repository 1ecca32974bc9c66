import VmxModel

/// Writes lines of the store in the form that readers scan fastest.
enum LineWriter {
  /// The optional fields of a line between `at` and the fields of the record.
  struct Marks {
    var transaction: String?
    var commits = false
    var deletes = false
  }

  /// The length limit in bytes of lines that are written or read, without the line end: 16 MiB.
  static let longest = 16 << 20

  /// Appends one line with its line end.
  ///
  /// - Parameter fields: the fields of the record; none of them may have a key that the store
  ///   reserves.
  static func append(
    _ key: RecordKey, seq: Int64, at: String, marks: Marks = Marks(), fields: JSONObject,
    to bytes: inout [UInt8]
  ) {
    appendStart(key, seq: seq, at: at, marks: marks, to: &bytes)
    append(fields, to: &bytes)
    appendEnd(to: &bytes)
  }

  /// Appends the part of a line before the fields of the record.
  static func appendStart(
    _ key: RecordKey, seq: Int64, at: String, marks: Marks, to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: #"{"kind":"#.utf8)
    JSONWriter.append(text: key.kind.rawValue, to: &bytes)
    bytes.append(contentsOf: #","id":"#.utf8)
    JSONWriter.append(text: key.id, to: &bytes)
    bytes.append(contentsOf: #","seq":"#.utf8)
    JSONWriter.append(.integer(seq), to: &bytes)
    bytes.append(contentsOf: #","at":"#.utf8)
    JSONWriter.append(text: at, to: &bytes)
    if let transaction = marks.transaction {
      bytes.append(contentsOf: #","txn":"\#(transaction)""#.utf8)
    }
    if marks.commits { bytes.append(contentsOf: #","commit":true"#.utf8) }
    if marks.deletes { bytes.append(contentsOf: #","deleted":true"#.utf8) }
  }

  /// Appends the fields of the record after the start of a line.
  static func append(_ fields: JSONObject, to bytes: inout [UInt8]) {
    for field in fields.fields {
      bytes.append(UInt8(ascii: ","))
      JSONWriter.append(text: field.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      JSONWriter.append(field.value, to: &bytes)
    }
  }

  /// Appends the closing brace and the line end.
  static func appendEnd(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "}"))
    bytes.append(0x0A)
  }
}
