package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

extension EpisodeRemover {
  /// Moves a file that belongs to no episode to the trash of its root, with its own journal entry.
  ///
  /// - Parameters:
  ///   - path: the path below the root.
  ///   - undone: the journal entry whose undo removes the file; nil for any other removal.
  /// - Returns: its size in bytes; nil if the file does not exist.
  /// - Throws: errors of the store and the file system. The file is then at its path, or in the
  ///   trash with an open journal entry, which `finishDiscard` closes.
  package func discard(
    _ path: PathBytes, in root: MediaRoot, reason: String, undoing undone: JournalEntry? = nil
  ) throws -> Int64? {
    let name = Hex.text(of: UInt64.random(in: .min ... .max))
    var entry = JournalEntry(run, .looseFile, name: name, reason: reason)
    entry.roots = [root.uuid]
    entry.undoes = undone?.id
    let claim = try store.claim(fileOf: entry.id)
    defer { claim.release() }
    try record(entry)
    let trash = Trash(root: root)
    do {
      try trash.add([path], of: entry)
    } catch {
      if try !trash.hasFiles(of: entry) {
        if let trashEntry = try trash.entry(named: entry.trashName) {
          trash.removeLeftover(trashEntry)
        }
        try deleteJournalEntry(entry)
      }
      throw error
    }
    guard let trashEntry = try trash.entry(named: entry.trashName) else {
      try deleteJournalEntry(entry)
      return nil
    }
    entry.bytes = trashEntry.bytes
    entry.state = .done
    try record(entry)
    return trashEntry.bytes
  }

  /// Closes the journal entry of a discarded file that a crash or a failure left open. If the file
  /// is in the trash, the entry is marked as done. Otherwise the entry and the list are removed.
  ///
  /// - Parameter id: the id of the journal entry.
  /// - Returns: false if there is no such entry, or another process is moving the file.
  /// - Throws: errors of the store and the file system.
  package func finishDiscard(_ id: String) throws -> Bool {
    guard let claim = try store.claims.claim(fileOf: id) else { return false }
    defer { claim.release() }
    guard var entry = try store.snapshot().journalEntry(id), entry.isOfLooseFile,
      entry.state == .begun
    else { return false }
    entry.bytes = 0
    var isHeld = false
    for trash in try entry.roots.map({ Trash(root: try mediaRoots.root($0)) }) {
      guard let trashEntry = try trash.entry(named: entry.trashName) else { continue }
      if try trash.hasFiles(of: entry) {
        isHeld = true
        entry.bytes = entry.bytes.addingClamped(trashEntry.bytes)
      } else {
        trash.removeLeftover(trashEntry)
      }
    }
    guard isHeld else {
      try deleteJournalEntry(entry)
      return true
    }
    entry.state = .done
    try record(entry)
    return true
  }

  /// Permanently deletes an entry of the trash; its journal entry records that before the first
  /// file is deleted.
  ///
  /// - Throws: `lock-busy` while another process removes or restores the episode or the file;
  ///   errors of the store and the file system. The next call deletes the remaining files.
  package func purge(_ trashEntry: TrashEntry, from trash: Trash) throws {
    guard let id = trashEntry.episode else {
      let claim = try store.claim(fileOf: trashEntry.step)
      defer { claim.release() }
      guard let fresh = try trash.entry(named: trashEntry.name) else { return }
      return try purgeClaimed(fresh, from: trash)
    }
    let claim = try store.claim(id)
    defer { claim.release() }
    // A removal or a restoration that crashed may still have files outside the trash.
    let state = try store.snapshot().journalEntry(trashEntry.step)?.state
    if state == .begun, let failure = try finish(claimed: id).result.failure {
      throw failure
    }
    guard let fresh = try trash.entry(named: trashEntry.name) else { return }
    try purgeClaimed(fresh, from: trash)
  }

  private func purgeClaimed(_ trashEntry: TrashEntry, from trash: Trash) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      // After a crash the list of a completed restoration may still exist.
      guard var entry = transaction.journalEntry(trashEntry.step), entry.state != .undone else {
        return
      }
      entry.state = .purged
      transaction.write(entry.stored)
    }
    try trash.purge(trashEntry)
  }

  /// Deletes the journal entry of a removal that was not performed, so that undo does not offer it.
  private func deleteJournalEntry(_ entry: JournalEntry) throws {
    try store.update(.soon, room: .useReserve) { transaction in
      transaction.delete(.step, entry.id)
    }
  }

  private func record(_ entry: JournalEntry) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      transaction.write(entry.stored)
    }
  }
}

extension LibraryStore {
  /// Claims a file that belongs to no episode, by the id of its journal entry, without waiting.
  ///
  /// - Throws: `lock-busy` while another process has claimed it; errors of the store.
  func claim(fileOf step: String) throws -> ByteLock {
    guard let claim = try claims.claim(fileOf: step) else {
      throw Failure(.lockBusy, "another process is moving the file of step '\(step)'")
    }
    return claim
  }

  /// Claims an episode without waiting.
  ///
  /// - Throws: `lock-busy` while another worker has claimed it; errors of the store.
  func claim(_ id: EpisodeID) throws -> Claim {
    guard let claim = try claims.claim(id) else {
      throw Failure.inUse(id)
    }
    return claim
  }
}
