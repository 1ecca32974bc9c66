import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A restoration reopens the removal before it moves a file. One transaction restores the paths of
// the parts in the state `removing`, and marks the journal entry as begun. Then the files are moved
// out of the trash, and a second transaction records the previous episode. If the process dies in
// between, or another process has changed the record, the removal is completed like any other: the
// files return to the same entry of the trash. So each journal entry is undone completely or not at
// all.

/// Restores one removed episode: its files from the trash, and its earlier record.
///
/// The caller holds the claim on the episode until the restoration has ended.
struct Restoration {
  private let store: LibraryStore
  private let clock: any WallClock
  private let entry: JournalEntry
  /// The trash entries with the journal entry's files, each in the trash of one root.
  private let trashEntries: [(trash: Trash, entry: TrashEntry)]
  /// The NFO files of these that vmx has written again: for the record with which this one was
  /// joined and which had taken over the video, or for another episode of that video.
  private let nfoFiles: Set<FilePath>
  /// The episode that will be recorded.
  private(set) var episode: Episode

  /// The `seq` of the episode and the journal entry, as recorded by the first transaction. The
  /// second transaction fails if either has changed since.
  typealias Opened = (rev: Int64, entry: JournalEntry)

  /// Checks the record, the journal entry and the files; changes nothing.
  ///
  /// - Parameter digest: reads a whole file and returns its SHA-256.
  /// - Throws: `undo-conflict` if the episode has changed or another file has one of the paths,
  ///   `undo-impossible` if files are missing, `root-away`, and errors of the store and the file
  ///   system.
  init(
    of entry: JournalEntry, in store: LibraryStore, _ mediaRoots: MediaRoots, clock: any WallClock,
    digest: (FilePath) throws -> Digest
  ) throws {
    self.store = store
    self.clock = clock
    self.entry = entry
    episode = try entry.restored(in: store.snapshot(), now: clock.now)
    trashEntries = try mediaRoots.trashed(of: entry)
    var nfoFiles: Set<FilePath> = []
    for (trash, trashEntry) in trashEntries where try trash.hasNFOInTheWay(of: trashEntry) {
      let others =
        try entry.joined.map { [$0.id] }
        ?? episode.publishedVideo.map { try mediaRoots.owners(of: $0) } ?? []
      for id in others where id != episode.id {
        if let file = try trash.nfoFile(of: id, in: trashEntry, digest) { nfoFiles.insert(file) }
      }
    }
    self.nfoFiles = nfoFiles
    for (trash, entry) in trashEntries { try trash.checkRestorable(entry, yielding: nfoFiles) }
  }

  /// Restores the episode; durable on return.
  ///
  /// - Parameter removal: completes the removal if the restoration cannot be completed.
  /// - Throws: `undo-conflict`, and errors of the store and the file system. The files are then in
  ///   the trash, or the episode stays in the state `removing` until its removal can be completed.
  func perform(_ removal: EpisodeRemover) throws {
    // Without files, a crash cannot leave any outside the trash.
    guard !trashEntries.isEmpty else { return try close(nil) }
    let opened = try open()
    do {
      try restoreFiles()
      try close(opened)
    } catch {
      rollBack(removal)
      throw error
    }
    // The lists contain files that are no longer in the trash.
    for (trash, entry) in trashEntries { trash.removeLeftover(entry) }
  }

  /// Records that files are about to leave the trash; durable on return.
  func open() throws -> Opened {
    let listed = Set(trashEntries.flatMap { $0.entry.files.map(\.path) })
    try prepareSearch()
    return try store.update(.durable, room: .useReserve) { transaction in
      // Repeats, under the lock, the check that was made without it.
      var opened = try entry.restored(in: transaction, now: clock.now)
      try entry.checkUnchanged(in: transaction)
      if entry.joined != nil { transaction.delete(.alias, opened.id.description) }
      let now = try transaction.episode(opened.id)
      opened.want = now?.want ?? .gone
      opened.trail = now?.trail ?? opened.trail
      for index in opened.parts.indices where opened.parts[index].state != .removed {
        opened.reopenRemoval(of: index, listed: listed, now: clock.now)
      }
      var entry = entry
      entry.state = .begun
      transaction.write(entry.stored)
      return (transaction.recorded(opened).rev, entry)
    }
  }

  /// Searches for episodes of the same identity before the write lock is acquired, so that under it
  /// only newer lines are searched.
  private func prepareSearch() throws {
    if let joined = entry.joined { return try store.prepare([episode.id, joined.id]) }
    if entry.removesRecord { try store.prepare([episode.id], episode.identity) }
  }

  /// Moves the files out of the trash, durably.
  func restoreFiles() throws {
    for file in nfoFiles { try RegularFile.remove(file) }
    for (trash, entry) in trashEntries { try trash.restore(entry) }
  }

  /// Records the previous episode, and the journal entry as undone; durable on return.
  ///
  /// - Parameter opened: the result of `open`; nil if it was not called.
  /// - Throws: `undo-conflict` if the episode or the journal entry was changed after that.
  func close(_ opened: Opened?) throws {
    if opened == nil { try prepareSearch() }
    try store.update(.durable, room: .useReserve) { transaction in
      var entry = opened?.entry ?? entry
      try entry.checkUnchanged(in: transaction)
      if let opened {
        guard try transaction.episode(episode.id)?.rev == opened.rev else {
          throw Failure(.undoConflict, "another process changed '\(episode.id)'")
        }
      } else {
        _ = try entry.restored(in: transaction, now: clock.now)
      }
      try entry.separate(in: &transaction)
      transaction.write(episode)
      if let lost = entry.lostRoot, let root = transaction.record(.root, lost), root.isLostRoot {
        transaction.write(root.declared(LossDeclaration(isLost: false, at: transaction.now)))
      }
      entry.state = .undone
      transaction.write(entry.stored)
    }
  }

  /// Returns the files to the trash.
  private func rollBack(_ removal: EpisodeRemover) {
    do {
      _ = try removal.finish(claimed: episode.id)
    } catch {
      // The first failure is reported. The next tool that claims the episode completes the removal,
      // at the latest `vmx clean`.
    }
  }
}

extension MediaRoots {
  /// Returns the trash entries that hold the files of a journal entry.
  ///
  /// - Throws: `undo-impossible` if one is missing, `root-away`, and errors of the file system.
  func trashed(of entry: JournalEntry) throws -> [(trash: Trash, entry: TrashEntry)] {
    try entry.roots.map { uuid in
      let trash = Trash(root: try root(uuid))
      guard let trashEntry = try trash.listedEntry(named: entry.trashName) else {
        throw Failure(.undoImpossible, "its files are no longer in the trash")
      }
      return (trash, trashEntry)
    }
  }
}

extension Trash {
  /// Whether an NFO file of an entry is to be restored to a path at which there is another one.
  fileprivate func hasNFOInTheWay(of entry: TrashEntry) throws -> Bool {
    try entry.files.contains { file in
      let path = root.file(at: file.path)
      return try path.extension == "nfo" && FileFacts.ifPresent(at: path) != nil
    }
  }

  /// Returns the unchanged NFO file that vmx has written for an episode, if the list of an entry
  /// has its path; else nil.
  fileprivate func nfoFile(
    of id: EpisodeID, in entry: TrashEntry, _ digest: (FilePath) throws -> Digest
  ) throws -> FilePath? {
    guard let nfo = try Sidecar(of: id, below: root.folder).nfo,
      entry.files.contains(where: { $0.path == PathBytes(nfo.path) }),
      try nfo.isUnchanged(below: root, digest)
    else { return nil }
    return root.folder.appending(nfo.path)
  }
}

extension JournalEntry {
  /// Returns the episode to restore.
  ///
  /// - Throws: `undo-conflict` if the episode was changed since, or another one has its id or
  ///   identity.
  fileprivate func restored(
    in episodes: any EpisodeLookup, now: Timestamp
  ) throws -> Episode {
    guard var episode = before else {
      throw Failure(.undoImpossible, "cannot read the kept record of the episode")
    }
    let current = try episodes.episode(episode.id)
    if let joined {
      guard current?.id == joined.id else {
        throw Failure(.undoConflict, "'\(episode.id)' is no longer an alias of '\(joined.id)'")
      }
      try checkJoined(current)
    } else if removesRecord {
      guard current == nil else {
        throw Failure(
          .undoConflict, "'\(episode.id)' was added again since",
          hint: "run 'vmx rm --forget \(episode.id)' first")
      }
      if let successor = episodes.find(episode.identity.filter(\.isIdentifying)).first {
        throw Failure(.undoConflict, "'\(episode.id)' was added again since, as '\(successor)'")
      }
    } else {
      guard let current, current.id == episode.id else {
        throw Failure(.undoConflict, "'\(episode.id)' no longer has this id")
      }
      guard current.rev == rev else {
        throw Failure(.undoConflict, "'\(episode.id)' has changed since")
      }
      episode.trail = current.trail
    }
    // Files that were lost with their root were not removed.
    guard lostRoot == nil else {
      for part in episode.parts {
        guard let from = current?.part(named: part.name)?.state, from != part.state else {
          continue
        }
        episode.appendTransition(Transition(at: now, part: part.name, from: from, to: part.state))
      }
      return episode
    }
    for index in episode.parts.indices { episode.restore(part: index, now: now) }
    return episode
  }

  /// - Throws: `undo-conflict` if another process has changed the journal entry.
  fileprivate func checkUnchanged(in transaction: StoreTransaction) throws(Failure) {
    guard transaction.journalEntry(id) == self else {
      throw Failure(.undoConflict, "another process changed the step '\(id)'")
    }
  }
}

extension Episode {
  /// Adds the transition from `removed` to the trail of a restored part. A key, whose file is never
  /// kept in the trash, is reset to be fetched again.
  fileprivate mutating func restore(part index: Int, now: Timestamp) {
    guard parts[index].state != .removed else { return }
    if parts[index].role == .key, parts[index].root != nil {
      parts[index].clearBytes()
      parts[index].enter(.new)
    }
    let part = parts[index]
    appendTransition(Transition(at: now, part: part.name, from: .removed, to: part.state))
  }

  /// Returns a removed part to `removing`.
  ///
  /// Only a path that the trash lists is recorded again: any other path may belong to another
  /// episode by now. The trash never holds a key.
  fileprivate mutating func reopenRemoval(of index: Int, listed: Set<PathBytes>, now: Timestamp) {
    let from = PartState.removed
    if parts[index].role == .key {
      parts[index].clearBytes()
      parts[index].enter(.removed)
      return
    }
    if let path = parts[index].path, !listed.contains(PathBytes(path)) { parts[index].path = nil }
    parts[index].enter(.removing)
    appendTransition(Transition(at: now, part: parts[index].name, from: from, to: .removing))
  }
}
