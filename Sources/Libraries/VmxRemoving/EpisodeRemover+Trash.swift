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
    var row = JournalEntry(run, name: name, reason: reason)
    row.roots = [root.uuid]
    row.undoes = undone?.id
    try record(row)
    let trash = Trash(root: root)
    do {
      try trash.add([path], of: row)
    } catch {
      if try !trash.hasFiles(of: row) {
        if let entry = try trash.entry(named: row.trashName) { trash.removeLeftover(entry) }
        try deleteJournalEntry(row)
      }
      throw error
    }
    guard let entry = try trash.entry(named: row.trashName) else {
      try deleteJournalEntry(row)
      return nil
    }
    row.bytes = entry.bytes
    row.state = .done
    try record(row)
    return entry.bytes
  }

  /// Closes the journal entry of a discarded file that a crash or a failure left open. If the file
  /// is in the trash, the entry is marked as done. Otherwise the entry and the list are removed.
  ///
  /// - Parameter id: the id of the journal entry.
  /// - Returns: whether there was such an entry.
  /// - Throws: errors of the store and the file system.
  package func finishDiscard(_ id: String) throws -> Bool {
    guard var row = try store.snapshot().journalEntry(id), row.isOfLooseFile, row.state == .begun
    else { return false }
    row.bytes = 0
    var isHeld = false
    for trash in try row.roots.map({ Trash(root: try mediaRoots.root($0)) }) {
      guard let entry = try trash.entry(named: row.trashName) else { continue }
      if try trash.hasFiles(of: row) {
        isHeld = true
        row.bytes = row.bytes.addingClamped(entry.bytes)
      } else {
        trash.removeLeftover(entry)
      }
    }
    guard isHeld else {
      try deleteJournalEntry(row)
      return true
    }
    row.state = .done
    try record(row)
    return true
  }

  /// Permanently deletes an entry of the trash; its journal entry records that before the first
  /// file is deleted.
  ///
  /// - Throws: `lock-busy` while another process removes or restores the episode; errors of the
  ///   store and the file system. The next call deletes the remaining files.
  package func purge(_ entry: TrashEntry, from trash: Trash) throws {
    guard let id = entry.episode else { return try purgeClaimed(entry, from: trash) }
    let claim = try store.claim(id)
    defer { claim.release() }
    // A removal or a restoration that crashed may still have files outside the trash.
    let state = try store.snapshot().journalEntry(entry.step)?.state
    if state == .begun, let failure = try finish(claimed: id).result.failure {
      throw failure
    }
    guard let fresh = try trash.entry(named: entry.name) else { return }
    try purgeClaimed(fresh, from: trash)
  }

  private func purgeClaimed(_ entry: TrashEntry, from trash: Trash) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      // After a crash the list of a completed restoration may still exist.
      guard var row = transaction.journalEntry(entry.step), row.state != .undone else { return }
      row.state = .purged
      transaction.write(row.stored)
    }
    try trash.purge(entry)
  }

  /// Deletes the journal entry of a removal that was not performed, so that undo does not offer it.
  private func deleteJournalEntry(_ row: JournalEntry) throws {
    try store.update(.soon, room: .useReserve) { transaction in
      transaction.delete(.step, row.id)
    }
  }

  private func record(_ row: JournalEntry) throws {
    try store.update(.durable, room: .useReserve) { transaction in
      transaction.write(row.stored)
    }
  }
}

extension LibraryStore {
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
