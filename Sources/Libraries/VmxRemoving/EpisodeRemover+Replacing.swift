import VmxLibrary
package import VmxModel
import VmxStore

// A replacement is a removal that deletes the record, so that another video gets the id. Its
// journal entry has the digest of that video. To undo it, the successor is first replaced in the
// same way by the restored episode. So an undo can be undone too.

extension EpisodeRemover {
  /// Moves the files of an episode into the trash and deletes its record, so that another video can
  /// replace it.
  ///
  /// - Parameters:
  ///   - successor: the digest of that video.
  ///   - text: the reason for the user.
  ///   - check: called with the current record before any change; an error that it throws refuses
  ///     the replacement.
  /// - Throws: `lock-busy` while another worker has claimed the episode, with nothing changed;
  ///   errors of `check`, the store and the file system.
  package func replace(
    _ id: EpisodeID, by successor: Digest?, _ text: String,
    check: (Episode) throws -> Void = { _ in }
  ) throws {
    try store.claim(id).release()
    var options = RemovalOptions(.byHand, text, removesRecord: true)
    options.successor = successor
    let results = try remove([id], options, check: check)
    if let failure = results.first?.result.failure { throw failure }
  }
}

extension UndoService {
  /// Replaces the successor of an episode that a journal entry replaced, so that the entry can be
  /// undone. Does nothing if there is no successor, or it has changed.
  ///
  /// - Returns: the journal entry of that replacement.
  /// - Throws: `undo-impossible` if the trash no longer has the episode's files, and the errors of
  ///   `replace`.
  func replaceSuccessor(of entry: JournalEntry) throws -> JournalEntry? {
    guard let before = entry.before, try hasSuccessor(entry) else { return nil }
    _ = try mediaRoots.trashed(of: entry)
    try removal.replace(before.id, by: before.video?.sha256, "replaced by an undo")
    return try store.snapshot().journalEntries(of: before.id).last { $0.run == removal.run }
  }

  /// Whether the video that replaced an episode is present and unchanged.
  func hasSuccessor(_ entry: JournalEntry) throws -> Bool {
    guard let successor = entry.successor, entry.state == .done, let before = entry.before,
      let present = try store.snapshot().episode(before.id)
    else { return false }
    return present.id == before.id && present.video?.sha256 == successor
  }
}
