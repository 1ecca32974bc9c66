import VmxModel
import VmxPresentation

/// The disk space of one root, as a row.
struct DiskRow: ListingRow, Sendable, Equatable {
  /// The UUID of the root.
  let id: String
  var kind: RowKind? { .disk }
  /// The folder.
  let path: String
  /// The number of recorded bytes of media files.
  var used: Int64 = 0
  /// The maximum number of bytes of the whole library; nil for no limit.
  var quota: Int64?
  /// The number of bytes that stay free on the disk.
  var reserve: Int64 = 0
  /// The number of free bytes on the disk; nil if the root is unreachable.
  var free: Int64?
  /// The number of bytes in the trash; nil if the root is unreachable.
  var trash: Int64?
  /// The number of allocated bytes of unfinished files; nil if the root is unreachable.
  var unfinished: Int64?

  /// Creates the row of a root, with all numbers zero or unknown.
  init(id: String, path: String) {
    self.id = id
    self.path = path
  }

  func value(_ field: DiskField) -> RowValue {
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
