import VmxJSON
import VmxModel

/// The fields that the store needs of any line, in whatever form the line is written.
struct LineFacts {
  let key: RecordKey
  let seq: Int64
  let at: Timestamp?
  let transaction: String?
  let commits: Bool
  let deletes: Bool

  /// Reads the facts of a complete line; nil if the line does not name a record.
  init?(_ line: JSONTape) {
    var values = (kind: nil as JSONTape?, id: nil as JSONTape?, seq: nil as JSONTape?)
    var moment: JSONTape?
    var marks = (transaction: nil as JSONTape?, commits: false, deletes: false)
    line.forEachField { key, value in
      switch key.utf8?.count {
      case 2:
        if key.equals("id") { values.id = value } else if key.equals("at") { moment = value }
      case 3:
        if key.equals("seq") {
          values.seq = value
        } else if key.equals("txn") {
          marks.transaction = value
        }
      case 4: if key.equals("kind") { values.kind = value }
      case 6: if key.equals("commit") { marks.commits = value.bool ?? false }
      case 7: if key.equals("deleted") { marks.deletes = value.bool ?? false }
      default: break
      }
      return true
    }
    guard let kind = values.kind?.string, let id = values.id?.string else { return nil }
    key = RecordKey(kind: RecordKind(rawValue: kind), id: id)
    seq = values.seq?.integer ?? 0
    at = moment?.string.flatMap { Timestamp($0) }
    transaction = marks.transaction?.string
    commits = marks.commits
    deletes = marks.deletes
  }
}

/// A line that readers ignore because it is broken.
package struct DamagedLine: Sendable, Equatable {
  /// The offset of its first byte in the store.
  package let offset: Int
  /// The length in bytes, without the line end.
  package let length: Int

  /// Whether an unreadable line seems to belong to a record with this id.
  static func names(_ id: String, _ line: UnsafeRawBufferPointer) -> Bool {
    ByteSearch.offset(of: Array(#""id":"\#(id)""#.utf8), in: line) != nil
  }
}
