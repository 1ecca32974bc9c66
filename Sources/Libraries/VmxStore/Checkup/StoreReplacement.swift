package import SystemPackage
package import VmxModel
import VmxSystem

// The new store is written to a separate folder, `rebuild` in the home, and made durable before the
// current store is changed. Then, under the write lock, the current store gets a second hard link,
// the new one is renamed over it, and `store.jsonl.1` is renamed. After a crash before the rename
// the current store is in place, after a later crash the new one. The next replacement removes the
// folder.

/// Replaces the store with a new one and keeps the old one under another name.
package final class StoreReplacement: Sendable {
  /// Snapshots of the old files, the newer first; missing and empty files are omitted.
  package let oldSnapshots: [StoreSnapshot]
  private let home: LibraryHome
  private let present: LibraryStore
  private let job: ByteLock
  private let clock: any WallClock
  private let seen: FileFacts?

  /// Prepares to replace the store of a home; the home may have no store yet.
  ///
  /// - Throws: `lock-busy` while another process replaces it or changes its format,
  ///   `store-too-new`, `store-on-network`, `store-unreadable`.
  package init(
    of home: LibraryHome, options: StoreOptions, clock: any WallClock
  ) throws {
    self.home = home
    self.clock = clock
    present = try LibraryStore.open(home, options: options, clock: clock)
    guard let job = try present.tryJob(.migration) else {
      throw Failure(.lockBusy, "another process is changing the store of '\(home.folder)'")
    }
    self.job = job
    seen = try FileFacts.of(home.store)
    var old: [StoreSnapshot] = []
    for path in [home.store, home.snapshot] {
      guard let file = try StoreFile.open(path, writable: false), file.facts.size > 0 else {
        continue
      }
      old.append(StoreSnapshot(try StoreImage(of: file), cache: IndexCache(home)))
    }
    self.oldSnapshots = old
  }

  /// The library's UUID in the old files; nil if none has a header.
  package var library: String? { oldSnapshots.lazy.compactMap(\.header?.library).first }

  /// Creates and opens an empty new store in the folder `rebuild`.
  ///
  /// - Parameter library: the library's UUID.
  /// - Throws: errors of the file system.
  package func draft(library: String) throws -> LibraryStore {
    try removeDraft()
    let folder = draftHome
    try makeFolders(folder.folder)
    var header = StoreHeader(library: library)
    for snapshot in oldSnapshots {
      header.epoch = LineNumbers.epoch(after: max(header.epoch, snapshot.header?.epoch ?? 0))
      let highest = snapshot.image.map { LineNumbers.highestPlausible(in: $0) } ?? 0
      header.seqFloor = max(header.seqFloor, highest)
    }
    let bytes = present.writer.line(of: header)
    try AtomicFile.replace(folder.store, with: bytes, durable: true)
    var options = present.writer.options
    options.roots = []
    return try LibraryStore.open(folder, options: options, clock: clock)
  }

  /// Replaces the current store with the new one; durable on return.
  ///
  /// - Returns: the names under which the old files are kept.
  /// - Throws: `plan-changed` if another process has written to the store since, errors of the
  ///   store and the file system. The current store is then either unchanged or already replaced.
  package func commit(_ draft: LibraryStore) throws -> [FilePath] {
    try draft.flush()
    let file = try OpenFile(draft.home.store, .readOnly)
    try fullSync(file.descriptor, of: draft.home.store)
    let compaction = try present.waitForJob(.compaction)
    defer { compaction.release() }
    let kept = try present.writer.locks.withWriteLock {
      let now = try FileFacts.of(home.store)
      guard now?.size == seen?.size, now?.inode == seen?.inode else {
        throw Failure(.planChanged, "another process wrote to '\(home.store)'")
      }
      var kept: [FilePath] = []
      let moment = clock.now.text.filter { $0.isLetter || $0.isNumber }
      if now != nil {
        let name = home.folder.appending("store.jsonl.before-\(moment)")
        try linkFile(from: home.store, to: name)
        kept.append(name)
      }
      try renameReplacing(from: draft.home.store, to: home.store)
      if try FileFacts.of(home.snapshot) != nil {
        let name = home.folder.appending("store.jsonl.1.before-\(moment)")
        try renameNoReplace(from: home.snapshot, to: name)
        kept.append(name)
      }
      try syncFolder(home.folder)
      return kept
    }
    try removeDraft()
    job.release()
    return kept
  }

  private var draftHome: LibraryHome { LibraryHome(home.folder.appending("rebuild")) }

  private func removeDraft() throws {
    let folder = draftHome
    guard try FileFacts.of(folder.folder) != nil else { return }
    for path in [folder.store, folder.snapshot, folder.compactedStore, folder.lock] {
      try RegularFile.remove(path)
    }
    folder.removeAtomicTemporaryFiles()
    _ = try removeFolderIfEmpty(folder.folder)
  }
}
