import VmxModel
import VmxSystem

/// A file below a root that no record names.
struct LooseFile: Sendable, Equatable {
  /// Below the root.
  let path: PathBytes
  /// As it was when it was found.
  let facts: FileFacts

  /// What tells later that it is still the same.
  var mark: FileMark { FileMark(facts) }

  /// Whether its bytes have not changed for so long.
  func isOlder(than milliseconds: Int64, now: Timestamp) -> Bool {
    facts.modified / 1_000_000 < now.adding(milliseconds: -milliseconds).milliseconds
  }
}

extension FileMark {
  /// The mark of a file that was looked at.
  init(_ facts: FileFacts) {
    self.init(size: facts.size, modified: facts.modified, inode: facts.inode)
  }
}
