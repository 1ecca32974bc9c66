package import VmxModel

/// A record of any kind as it stands in the store.
package struct StoredRecord: Sendable, Equatable {
  /// What it is about.
  package var kind: RecordKind
  /// Its name among those of its kind.
  package var id: String
  /// The number of its line; 0 for one that was never stored.
  package var seq: Int64
  /// When its line was written, as it stands there.
  package var at: Timestamp?
  /// Its fields, without those of the store.
  package var fields: JSONObject

  /// A record to be stored.
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

  /// The keys of a line that are the store's own.
  static let ownedByStore: Set<String> = ["kind", "id", "seq", "at", "txn", "commit", "deleted"]
}

/// What names a record: one kind may have the id of another.
struct RecordKey: Sendable, Hashable {
  let kind: RecordKind
  let id: String
}
