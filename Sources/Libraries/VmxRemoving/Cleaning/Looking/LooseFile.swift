import VmxModel
import VmxSystem

/// A file below a root that no record names.
struct LooseFile: Sendable, Equatable {
  /// The path below the root.
  let path: PathBytes
  /// The state of the file when the scan found it.
  let facts: FileFacts

  /// The size, modification time and inode, by which a later check recognises the file.
  var mark: FileMark { FileMark(facts) }

  /// Whether the file was last modified longer ago than this.
  func isOlder(than milliseconds: Int64, now: Timestamp) -> Bool {
    facts.modified / 1_000_000 < now.adding(milliseconds: -milliseconds).milliseconds
  }
}

extension FileMark {
  /// The size, modification time and inode of an inspected file.
  init(_ facts: FileFacts) {
    self.init(size: facts.size, modified: facts.modified, inode: facts.inode)
  }
}
