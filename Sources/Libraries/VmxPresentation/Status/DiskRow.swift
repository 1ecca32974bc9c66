import VmxModel

/// The fields of the disk space of a root in listings.
package enum DiskField: String, ListingField {
  case path, used, quota, reserve, free, trash, unfinished, id

  package static let defaultFields: [DiskField] = [
    .path, .used, .quota, .reserve, .free, .trash, .unfinished,
  ]

  package var key: FieldKey {
    switch self {
    case .path:
      FieldKey(.text, "The absolute path of the folder", .end, heading: "FOLDER")
    case .used: FieldKey(.bytes, "The recorded size of the media")
    case .quota: FieldKey(.bytes, "The quota of the library, if there is one")
    case .reserve: FieldKey(.bytes, "The space to leave free on the disk")
    case .free: FieldKey(.bytes, "The free space on the disk, if mounted")
    case .trash: FieldKey(.bytes, "The size of the trash")
    case .unfinished: FieldKey(.bytes, "The size of unfinished files")
    case .id: FieldKey(.text, "The UUID of the root")
    }
  }
}

/// The disk space of one root, as a row.
package struct DiskRow: ListingRow, Sendable, Equatable {
  /// The UUID of the root.
  package let id: String
  package var kind: RowKind? { .disk }
  /// The folder.
  package let path: String
  /// The number of recorded bytes of media files.
  package var used: Int64 = 0
  /// The maximum number of bytes of the whole library; nil for no limit.
  package var quota: Int64?
  /// The number of bytes that stay free on the disk.
  package var reserve: Int64 = 0
  /// The number of free bytes on the disk; nil if the root is unreachable.
  package var free: Int64?
  /// The number of bytes in the trash; nil if the root is unreachable.
  package var trash: Int64?
  /// The number of allocated bytes of unfinished files; nil if the root is unreachable.
  package var unfinished: Int64?

  /// Creates the row of a root, with all numbers zero or unknown.
  package init(id: String, path: String) {
    self.id = id
    self.path = path
  }

  package func value(_ field: DiskField) -> RowValue {
    switch field {
    case .path: .text(path).styled(.strong)
    case .used: .bytes(used)
    case .quota: .bytes(quota)
    case .reserve: .bytes(reserve)
    case .free: .bytes(free)
    case .trash: .bytes(trash)
    case .unfinished: .bytes(unfinished)
    case .id: .text(id)
    }
  }
}
