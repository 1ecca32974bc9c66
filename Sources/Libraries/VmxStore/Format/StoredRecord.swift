package import VmxModel

/// A record of any kind as it is stored.
package struct StoredRecord: Sendable, Equatable {
  /// The kind of the record.
  package var kind: RecordKind
  /// The id, unique among the records of its kind.
  package var id: String
  /// The sequence number of its line; 0 for a record that was never stored.
  package var seq: Int64
  /// The time when its line was written, as recorded in the line.
  package var at: Timestamp?
  /// The fields of the record, without those that the store reserves.
  package var fields: JSONObject

  /// Creates a record that is to be stored.
  package init(kind: RecordKind, id: String, fields: JSONObject) {
    self.kind = kind
    self.id = id
    self.fields = fields
    seq = 0
  }

  init(key: RecordKey, seq: Int64, at: Timestamp?, line: JSONObject) {
    kind = key.kind
    id = key.id
    self.seq = seq
    self.at = at
    fields = line.without(Self.ownedByStore)
  }

  /// The keys of a line that the store reserves.
  static let ownedByStore: Set<String> = Set(LineField.allCases.map(\.rawValue))
}

/// The unique key of a record; records of different kinds may have the same id.
struct RecordKey: Sendable, Hashable {
  let kind: RecordKind
  let id: String
}
