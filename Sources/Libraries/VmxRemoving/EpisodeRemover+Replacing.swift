import VmxLibrary
package import VmxModel
import VmxStore

// A replacement is a removal that forgets the record, so that another video gets the id. Its journal
// entry names the digest of that video. An undo of it first replaces the successor in the same way
// by the episode that comes back, so that an undo can be undone too.

extension EpisodeRemover {
  /// Moves the files of an episode into the trash and removes its record, so that another video can
  /// take its place.
  ///
  /// - Parameters:
  ///   - successor: the digest of that video.
  ///   - text: the reason for the user.
  /// - Throws: `lock-busy` while another worker has claimed it, and then nothing is changed; errors
  ///   of the store and the file system.
  package func replace(_ id: EpisodeID, by successor: Digest?, _ text: String) throws {
    try store.claim(id).release()
    var order = RemovalOrder(.byHand, text, forgets: true)
    order.successor = successor
    let results = try remove([id], order)
    if let failure = results.first?.result.failure { throw failure }
  }
}

extension UndoService {
  /// Replaces the video that took the place of the episode of a journal entry, so that the entry can
  /// be undone. Without such a video, or after a change of it, does nothing.
  ///
  /// - Returns: the journal entry of that replacement.
  /// - Throws: `undo-impossible` if what is kept of the episode is gone, and the errors of
  ///   `replace`.
  func replaceSuccessor(of row: JournalEntry) throws -> JournalEntry? {
    guard let before = row.before, try hasSuccessor(row) else { return nil }
    _ = try mediaRoots.trashed(of: row)
    try removal.replace(before.id, by: before.video, "replaced by an undo")
    return try store.snapshot().stepRows(of: before.id).last { $0.run == removal.run }
  }

  /// Whether the video that took the place of an episode is there.
  func hasSuccessor(_ row: JournalEntry) throws -> Bool {
    guard let successor = row.successor, row.state == .done, let before = row.before,
      let present = try store.snapshot().episode(before.id)
    else { return false }
    return present.id == before.id && present.video == successor
  }
}

extension Episode {
  /// The digest of the video.
  fileprivate var video: Digest? { parts.first { $0.role == .video }?.sha256 }
}
