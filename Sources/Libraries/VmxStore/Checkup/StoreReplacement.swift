package import SystemPackage
package import VmxModel
import VmxSystem

// The new store is written in a folder of its own, `rebuild` in the home, and is durable before the
// present one is touched. Then, under the write lock, the present store gets a second name, the new
// one is renamed over it, and `store.jsonl.1` gets another name. A crash before the rename leaves the
// present store, one after it the new store. The next replacement removes the folder.

/// A new store that takes the place of the present one, which is kept under another name.
package final class StoreReplacement: Sendable {
  /// The library as the old files tell it, the newer first; a file that does not exist is left out.
  package let old: [StoreSnapshot]
  private let home: LibraryHome
  private let present: LibraryStore
  private let job: ByteLock
  private let clock: any WallClock
  private let seen: FileFacts?

  /// Prepares the replacement of the store of a home, which need not have one.
  ///
  /// - Throws: `lock-busy` while another process replaces it or changes its format, `store-too-new`,
  ///   `store-on-network`, `store-unreadable`.
  package init(
    of home: LibraryHome, options: StoreOptions, clock: any WallClock
  ) throws {
    self.home = home
    self.clock = clock
    present = try LibraryStore.open(home, options: options, clock: clock)
    guard let job = try present.tryJob(.migration) else {
      throw Failure(.lockBusy, "another process changes the store of '\(home.folder)'")
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
    self.old = old
  }

  /// The library's UUID in the old files; nil if none has a header.
  package var library: String? { old.lazy.compactMap(\.header?.library).first }

  /// Returns an empty store in place of the new one.
  ///
  /// - Parameter library: the library's UUID.
  /// - Throws: errors of the file system.
  package func draft(library: String) throws -> LibraryStore {
    try removeDraft()
    let folder = draftHome
    try makeFolders(folder.folder)
    var header = StoreHeader(library: library)
    for snapshot in old {
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

  /// Puts the new store in the place of the present one; durable on return.
  ///
  /// - Returns: the names under which the old files are kept.
  /// - Throws: `plan-changed` if another process has written to the store since, errors of the store
  ///   and the file system. The present store is then as it was, or the new one is in its place.
  package func commit(_ draft: LibraryStore) throws -> [FilePath] {
    try draft.flush()
    let file = try OpenFile(draft.home.store, .readOnly)
    try fullSync(file.descriptor, of: draft.home.store)
    let compaction = try present.writer.waitForJob()
    defer { compaction.release() }
    let kept = try present.writer.locks.whileWriting {
      let now = try FileFacts.of(home.store)
      guard now?.size == seen?.size, now?.inode == seen?.inode else {
        throw Failure(.planChanged, "another process has written to '\(home.store)'")
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
    for path in [folder.store, folder.snapshot, folder.fresh, folder.lock] {
      try RegularFile.remove(path)
    }
    folder.removeAtomicDrafts()
    _ = try removeFolderIfEmpty(folder.folder)
  }
}
