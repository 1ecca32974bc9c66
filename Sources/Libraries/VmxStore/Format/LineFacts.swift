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
    guard let kind = line.field("kind")?.string, let id = line.field("id")?.string else {
      return nil
    }
    key = RecordKey(kind: RecordKind(rawValue: kind), id: id)
    seq = line.field("seq")?.integer ?? 0
    at = line.field("at")?.string.flatMap { Timestamp($0) }
    transaction = line.field("txn")?.string
    commits = line.field("commit")?.bool ?? false
    deletes = line.field("deleted")?.bool ?? false
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
