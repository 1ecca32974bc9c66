import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension NewerMedia {
  /// Takes over the removals in the trash of a root that the store does not know.
  ///
  /// - Returns: the episodes that they removed.
  func removals(in root: MediaRoot, _ failures: ReadFailures) throws -> Set<EpisodeID> {
    let snapshot = try store.snapshot()
    let trash = Trash(root: root)
    guard try hasEntries(trash, unknownTo: snapshot) else { return [] }
    var removed: Set<EpisodeID> = []
    for listed in try TrashListing(trash, failures, now: now).entries where listed.isListed {
      let path = PathBytes(LibraryLayout.trashEntry(listed.name))
      guard
        let trashEntry = try failures.attempt(
          at: path, { try trash.listedEntry(named: listed.name) }),
        snapshot.record(.step, trashEntry.step) == nil, let id = trashEntry.episode,
        try trash.hasFiles(trashEntry),
        let entry = JournalEntry(
          StoredRecord(kind: .step, id: trashEntry.step, fields: trashEntry.journalEntry))
      else { continue }
      let known = try snapshot.episode(id)
      guard try known.map({ try isLost(trashEntry, entry, of: $0, in: root) }) ?? isRemoval(entry)
      else {
        continue
      }
      removed.insert(id)
      if store.isDryRun { continue }
      if let known {
        try record(trashEntry, entry, of: known, in: root)
      } else {
        try recordUnknown(trashEntry, entry, in: root)
      }
    }
    return removed
  }

  private func hasEntries(_ trash: Trash, unknownTo snapshot: StoreSnapshot) throws -> Bool {
    guard try FileFacts.of(trash.folder)?.isFolder == true else { return false }
    let folder = try OpenFolder(trash.folder)
    var known: Set<String>?
    while let entry = try folder.next() {
      guard entry.kind == .folder else { continue }
      let names = known ?? snapshot.trashNames
      known = names
      if !names.contains(String(decoding: entry.name, as: UTF8.self)) { return true }
    }
    return false
  }

  /// Whether the store does not know that an episode was removed. Then its files are in the trash
  /// and nowhere else, and its record is not newer than the removal; or it has no files yet, since
  /// they were published after the store was saved, and it was not requested after the removal.
  private func isLost(
    _ trashEntry: TrashEntry, _ entry: JournalEntry, of episode: Episode, in root: MediaRoot
  ) throws -> Bool {
    guard episode.id == trashEntry.episode else { return false }
    if episode.parts.allSatisfy({ $0.path == nil }) {
      return isRemoval(entry) && episode.removal == nil && episode.want != .gone
        && !episode.isRequested(after: entry.run.at)
    }
    guard let rev = trashEntry.journalEntry["before_rev"]?.integer, episode.rev <= rev else {
      return false
    }
    return try trashEntry.files.contains { file in
      try episode.parts.contains { part in
        part.root == root.uuid && part.path.map { PathBytes($0) == file.path } ?? false
          && [.ready, .missing, .damaged].contains(part.state)
      } && FileFacts.of(root.file(at: file.path)) == nil
    }
  }

  /// Whether a journal entry removed an episode, and neither replaced it nor made room for another
  /// step.
  private func isRemoval(_ entry: JournalEntry) -> Bool {
    guard case .removal = entry.subject else { return false }
    return entry.joined == nil && entry.successor == nil && entry.undoes == nil
      && entry.lostRoot == nil && !entry.removesRecord
      && !TrustedClock.isAhead(entry.run.at, of: now)
  }

  private func record(
    _ trashEntry: TrashEntry, _ entry: JournalEntry, of episode: Episode, in root: MediaRoot
  ) throws {
    let paths = Set(trashEntry.files.map(\.path))
    let hasFiles = episode.parts.contains { $0.path != nil }
    try store.update(.durable, room: .useReserve) { transaction in
      guard var present = try transaction.episode(episode.id), present.rev == episode.rev else {
        return
      }
      for index in present.parts.indices {
        guard present.parts[index].path.map({ paths.contains(PathBytes($0)) }) ?? !hasFiles else {
          continue
        }
        present.step(of: index, to: .removed, now: transaction.now)
        present.parts[index].clearBytes()
      }
      write(present, entry, of: trashEntry, in: root, to: &transaction)
    }
  }

  /// Records an episode that was added and removed after the store was saved, so that its feed does
  /// not add it again.
  private func recordUnknown(
    _ trashEntry: TrashEntry, _ entry: JournalEntry, in root: MediaRoot
  ) throws {
    guard let before = entry.before else { return }
    var episode = RecoverableRecord.stripped(before)
    try store.prepare([episode.id], episode.identity)
    try store.update(.durable, room: .useReserve) { transaction in
      guard try transaction.episode(episode.id) == nil,
        transaction.find(episode.identity.filter(\.isIdentifying)).isEmpty
      else { return }
      for index in episode.parts.indices {
        episode.step(of: index, to: .removed, now: transaction.now)
      }
      write(episode, entry, of: trashEntry, in: root, to: &transaction)
    }
  }

  private func write(
    _ episode: Episode, _ entry: JournalEntry, of trashEntry: TrashEntry, in root: MediaRoot,
    to transaction: inout StoreTransaction
  ) {
    var (episode, entry) = (episode, entry)
    let reason = entry.cause ?? .byHand
    episode.want = reason.want
    episode.removal = EpisodeRemoval(at: entry.run.at, tool: entry.run.tool, reason: reason)
    entry.roots = [root.uuid]
    entry.bytes = trashEntry.bytes
    entry.state = .done
    entry.isUntouched = false
    entry.rev = transaction.recorded(episode).rev
    transaction.write(entry.stored)
  }
}

extension Episode {
  /// Whether the user requested it after a time: again after a removal, or as a new one.
  fileprivate func isRequested(after time: Timestamp) -> Bool {
    if let requested = by.time(of: .want), requested > time { return true }
    return text.feed == nil && added > time
  }
}
