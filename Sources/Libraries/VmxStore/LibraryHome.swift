package import SystemPackage

/// The names of the files in `VMX_HOME`.
package struct LibraryHome: Sendable, Equatable {
  /// The folder itself; it is made with mode 0700 by the first tool that writes.
  package let folder: FilePath

  /// The home at a path, whether or not it is there.
  package init(_ home: FilePath) {
    folder = home
  }

  /// The store.
  package var store: FilePath { folder.appending("store.jsonl") }
  /// The snapshot from before the last compaction.
  package var snapshot: FilePath { folder.appending("store.jsonl.1") }
  /// The file that a compaction writes; only the holder of its job lock touches it.
  package var fresh: FilePath { folder.appending("store.jsonl.new") }
  /// The second name of the store until it replaces the snapshot.
  var freshSnapshot: FilePath { folder.appending("store.jsonl.1.new") }
  /// The broken lines that compactions took out.
  package var damaged: FilePath { folder.appending("store.damaged") }
  /// The advisory lock file.
  package var lock: FilePath { folder.appending("lock") }
  /// User names, passwords and tokens by reference.
  package var secrets: FilePath { folder.appending("secrets.jsonl") }
  /// The root that holds media unless another is chosen.
  package var defaultRoot: FilePath { folder.appending("library") }
}
