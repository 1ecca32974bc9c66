import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The names of the files in `VMX_HOME`.
package struct LibraryHome: Sendable, Equatable {
  /// The folder itself, created with mode 0700 by the first command that writes.
  package let folder: FilePath

  /// Creates the paths of the home at a path, which need not exist.
  package init(_ folder: FilePath) {
    self.folder = folder
  }

  /// The store.
  package var store: FilePath { folder.appending("store.jsonl") }
  /// The copy of the store from before the last compaction.
  package var snapshot: FilePath { folder.appending("store.jsonl.1") }
  /// The file that a compaction writes; only the holder of the compaction lock opens it.
  package var compactedStore: FilePath { folder.appending("store.jsonl.new") }
  /// The second hard link of the store until it replaces the snapshot.
  var newSnapshot: FilePath { folder.appending("store.jsonl.1.new") }
  /// The file of broken lines that were removed from the store.
  package var damaged: FilePath { folder.appending("store.damaged") }
  /// The advisory lock file.
  package var lock: FilePath { folder.appending("lock") }
  /// User names, passwords and tokens by reference.
  package var secrets: FilePath { folder.appending("secrets.jsonl") }
  /// The hash of the PIN, and what it protects.
  package var pin: FilePath { folder.appending("pin.json") }
  /// The wrong PINs so far.
  package var pinAttempts: FilePath { folder.appending("pin-attempts.json") }
  /// The account of `vmx sync`, without its secret.
  package var sync: FilePath { folder.appending("sync.json") }
  /// The root for media files unless the user chooses another.
  package var defaultRoot: FilePath { folder.appending("library") }
}

extension LibraryHome {
  /// The files that other users must not access, even if the folder itself is closed to them.
  var secretFiles: [FilePath] { [secrets, pin, pinAttempts, sync] }
}

// A process that is killed while it replaces a file of the home leaves a temporary file behind. The
// temporary file of `secrets.jsonl` contains all passwords. Such files are written only under the
// write lock. So a process that holds the write lock may remove all that it finds.

extension LibraryHome {
  /// Whether a snapshot exists; an empty or missing store is then damaged, not new.
  func hasSnapshot() throws(StoreError) -> Bool {
    try StoreFile.open(snapshot, writable: false).map { $0.facts.size > 0 } ?? false
  }

  /// Returns all temporary files that a crash left behind; only the holder of the write lock and
  /// of the compaction lock may remove them.
  ///
  /// - Throws: `FileError`.
  func temporaryFiles() throws(FileError) -> [FilePath] {
    var drafts = try atomicTemporaryFiles()
    for path in [compactedStore, newSnapshot] where try FileFacts.of(path) != nil {
      drafts.append(path)
    }
    return drafts
  }

  /// Returns the temporary files of atomic replacements.
  private func atomicTemporaryFiles() throws(FileError) -> [FilePath] {
    var drafts: [FilePath] = []
    let files = try OpenFolder(folder, followingLinks: true)
    while let entry = try files.next() {
      guard entry.kind == .file, LibraryLayout.isTemporary(entry.name),
        let name = FilePath.Component(String(decoding: entry.name, as: UTF8.self))
      else { continue }
      drafts.append(folder.appending(name))
    }
    return drafts
  }

  /// Removes the given files and skips those that are already gone.
  ///
  /// - Throws: `FileError`.
  static func remove(drafts: [FilePath]) throws(FileError) {
    for draft in drafts where draft.withPlatformString({ unlink($0) }) != 0 {
      guard Errno.last != .noSuchFileOrDirectory else { continue }
      throw .failed(.remove, draft, .last)
    }
  }

  /// Removes the temporary files of atomic replacements. The caller holds the write lock.
  ///
  /// Ignores failures: `vmx doctor` reports files that remain.
  func removeAtomicTemporaryFiles() {
    do throws(FileError) {
      try Self.remove(drafts: try atomicTemporaryFiles())
    } catch {
      // The next writer tries again.
    }
  }
}

extension LibraryHome {
  /// The field whose value `true` means that the root was made as the default root of its home.
  package static let defaultRootField = "default"
}

extension LibraryHome {
  /// Appends complete lines, which every reader of the store ignores, to `store.damaged`, and makes
  /// them durable.
  ///
  /// - Parameter lines: the lines, each with its line end.
  func appendDamaged(_ lines: [UInt8]) throws(FileError) {
    guard !lines.isEmpty else { return }
    var lines = lines
    let kept = try OpenFile(damaged, .readWrite, options: .create)
    let end = try kept.facts().size
    let last = end > 0 ? try kept.read(1, at: end - 1) : []
    // A last line without a line end, left by a full disk, must not merge with the next one.
    if !last.isEmpty, last != [UInt8(ascii: "\n")] { lines.insert(UInt8(ascii: "\n"), at: 0) }
    try kept.write(lines, at: end)
    try dataSync(kept.descriptor, of: damaged)
  }
}
