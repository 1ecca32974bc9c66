package import VmxModel

/// The fields of the disk space of a root in listings.
package enum DiskField: String, ListingField {
  case path, used, quota, reserve, free, trash, unfinished, id

  package static let defaultFields: [DiskField] = [
    .path, .used, .quota, .reserve, .free, .trash, .unfinished,
  ]

  package var column: Column {
    switch self {
    case .path: Column("FOLDER", .left, .end)
    case .id: Column(heading)
    default: Column(heading, .right)
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

  package func cell(_ field: DiskField) -> Cell {
    switch field {
    case .path: Cell(path, .strong)
    case .id: Cell(id)
    default: Cell(bytes(field).map { ByteCount(clamping: $0).forPeople } ?? "")
    }
  }

  package func exact(_ field: DiskField) -> String {
    switch field {
    case .path: path
    case .id: id
    default: bytes(field).map { String($0) } ?? ""
    }
  }

  package func json(_ field: DiskField) -> JSONValue? {
    switch field {
    case .path: .string(path)
    case .id: .string(id)
    default: bytes(field).map { .integer($0) }
    }
  }

  private func bytes(_ field: DiskField) -> Int64? {
    switch field {
    case .used: used
    case .quota: quota
    case .reserve: reserve
    case .free: free
    case .trash: trash
    case .unfinished: unfinished
    case .path, .id: nil
    }
  }
}
