package import SystemPackage

/// The names of the files in `VMX_HOME`.
package struct LibraryHome: Sendable, Equatable {
  /// The folder itself, created with mode 0700 by the first command that writes.
  package let folder: FilePath

  /// Creates the paths of the home at a path, which need not exist.
  package init(_ home: FilePath) {
    folder = home
  }

  /// The store.
  package var store: FilePath { folder.appending("store.jsonl") }
  /// The copy of the store from before the last compaction.
  package var snapshot: FilePath { folder.appending("store.jsonl.1") }
  /// The file that a compaction writes; only the holder of the compaction lock opens it.
  package var fresh: FilePath { folder.appending("store.jsonl.new") }
  /// The second hard link of the store until it replaces the snapshot.
  var freshSnapshot: FilePath { folder.appending("store.jsonl.1.new") }
  /// The file of broken lines that were removed from the store.
  package var damaged: FilePath { folder.appending("store.damaged") }
  /// The advisory lock file.
  package var lock: FilePath { folder.appending("lock") }
  /// User names, passwords and tokens by reference.
  package var secrets: FilePath { folder.appending("secrets.jsonl") }
  /// The root for media files unless the user chooses another.
  package var defaultRoot: FilePath { folder.appending("library") }
}
