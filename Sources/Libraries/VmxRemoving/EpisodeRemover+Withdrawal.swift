import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension EpisodeRemover {
  /// Withdraws a begun removal: files that are in the trash return, and the parts get the records
  /// that they had before. The caller holds the claim on the episode. May be repeated after a
  /// crash.
  ///
  /// - Parameters:
  ///   - undoing: whether the want before the removal returns too.
  ///   - isRefused: whether the removal failed before any file was changed. It is withdrawn only if
  ///     that is so, and its journal entry is deleted.
  /// - Returns: the result, durable; nil if the removal must be completed instead: no right to the
  ///   files is left, files were deleted, or another file has the path of one.
  /// - Throws: `root-away` if files may be in the trash of a root that cannot be read; errors of
  ///   the store and the file system.
  func withdraw(
    _ entry: JournalEntry, of id: EpisodeID, undoing: Bool = false,
    asRefused isRefused: Bool = false
  ) throws -> EpisodeResult? {
    guard entry.isWithdrawable, let entry = try store.snapshot().journalEntry(entry.id),
      entry.isWithdrawable
    else { return nil }
    var entries: [(trash: Trash, entry: TrashEntry)] = []
    if !entry.isUntouched {
      for root in entry.rootsBefore { _ = try mediaRoots.root(root) }
      entries = try mediaRoots.presentRoots().compactMap { root in
        let trash = Trash(root: root)
        return try trash.entry(named: entry.trashName).map { (trash, $0) }
      }
      if isRefused, try entries.contains(where: { try $0.trash.hasFiles($0.entry) }) { return nil }
      guard try restoreFiles(entries) else { return nil }
      if entry.isPermanent || isRefused, try hasLostFiles(entry) { return nil }
    }
    let result = try store.update(.durable, room: .useReserve) { transaction -> EpisodeResult? in
      guard var stored = transaction.journalEntry(entry.id), stored.state == .begun,
        var episode = try transaction.episode(id), episode.id == id
      else { return nil }
      episode.withdrawRemoval(
        stored, movedFiles: !stored.isUntouched && !isRefused, now: transaction.now)
      if undoing || isRefused { episode.restoreWant(stored) }
      stored.state = .undone
      if isRefused {
        transaction.delete(.step, stored.id)
      } else {
        transaction.write(stored.stored)
      }
      return EpisodeResult(id, .done, episode: transaction.recorded(episode))
    }
    if result != nil { for (trash, entry) in entries { trash.removeLeftover(entry) } }
    return result
  }

  /// Moves files back out of the trash.
  ///
  /// - Returns: false if a file is gone, or another file has its path.
  private func restoreFiles(_ entries: [(trash: Trash, entry: TrashEntry)]) throws -> Bool {
    do {
      for (trash, entry) in entries { try trash.restore(entry) }
      return true
    } catch let failure as Failure where [.undoConflict, .undoImpossible].contains(failure.code) {
      return false
    }
  }

  /// Whether a file that the library had before a removal is no longer at its path.
  private func hasLostFiles(_ entry: JournalEntry) throws -> Bool {
    try entry.before?.parts.contains { part in
      guard part.state == .ready, let path = part.path, let root = part.root else { return false }
      let file = try mediaRoots.root(root).file(at: PathBytes(path))
      return try FileFacts.of(file) == nil
    } ?? false
  }
}

extension LibraryStore {
  /// Records, durably, that a removal is about to change the first file.
  ///
  /// - Throws: `WorkEnded.wantChanged` if the removal was withdrawn; errors of the store.
  func beginChanges(of entry: JournalEntry) throws {
    guard entry.isUntouched else { return }
    try update(.durable, room: .useReserve) { transaction in
      guard var stored = transaction.journalEntry(entry.id) else { return }
      guard stored.state == .begun else { throw WorkEnded.wantChanged }
      stored.isUntouched = false
      transaction.write(stored.stored)
    }
  }
}

extension MediaRoots {
  /// Whether the root with a UUID is mounted; false also if that cannot be determined.
  func isMounted(_ uuid: String) -> Bool {
    do {
      return try isReachable(uuid)
    } catch {
      return false
    }
  }
}
