import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// First the library's files are compared with the digests in the journal entry. So an undo out of
// order never gives a source other bytes, and never forgets an episode whose files a later removal
// has in the trash.
//
// A moved source is restored first, as a hard link to the file in the library, or as a copy if the
// library keeps that file. Then the library's files go into the trash with the episode's record, as
// by `vmx rm --forget`. Files that were imported in place are not moved, but those that vmx wrote
// beside them are deleted. The journal entry is closed last, for files that were imported in place
// after the removal of their root (`UndoService.removeUnusedRoots`). The next undo continues an
// interrupted one: each step detects what the previous one has done.

/// Undoes the addition of an episode, or of files to an episode.
struct AdditionUndo {
  let addition: JournalEntry.Addition
  let entry: JournalEntry
  let removal: EpisodeRemover
  /// The owners of the episode's files; nil to search for them.
  let owners: FileOwners?
  private var store: LibraryStore { removal.store }
  private var mediaRoots: MediaRoots { removal.mediaRoots }
  /// The reason in the journal entries of the removals by which additions are undone.
  private static let reason = "undo of a migration"

  /// Undoes the addition; durable on return.
  ///
  /// - Returns: the previous episode; nil for an episode that was new.
  /// - Throws: `undo-conflict` if another file has the path of a source, or the added files were
  ///   removed or replaced since; `undo-impossible` if a moved file is gone; `lock-busy`,
  ///   `root-away`, and errors of the store and the file system.
  func perform() throws -> Episode? {
    let snapshot = try store.snapshot()
    let episode = try snapshot.episode(addition.episode)
    try checkIsNotRemoved(episode, in: snapshot)
    if let episode { try checkDigests(of: episode) }
    let moved = try movedSources(of: episode)
    if store.isDryRun { return entry.before }
    guard let episode else {
      if addition.placedIn != nil {
        // An interrupted undo has removed the record, and perhaps not yet what it wrote.
        try removeSidecars(of: addition.episode, in: [])
      } else {
        try close()
      }
      return entry.before
    }
    for source in moved { try restore(source) }
    if addition.placedIn != nil {
      try removeAdded(episode.id)
      return entry.before
    } else if let before = entry.before {
      try reduce(episode.id, to: before)
    } else {
      var options = RemovalOptions(.byHand, Self.reason, removesRecord: true)
      options.undoes = entry.id
      let result = try removal.remove(
        [episode.id], options, owners: owners, check: checkDigests(of:)
      ).first?.result
      if let failure = result?.failure { throw failure }
    }
    try close()
    return entry.before
  }

  /// The names of the added parts, and of the parts whose sources were moved.
  private var names: Set<String> { Set(addition.parts).union(addition.sources.keys) }

  /// - Throws: `undo-conflict` if a later removal, which can be undone itself, has removed a part.
  private func checkIsNotRemoved(_ episode: Episode?, in snapshot: StoreSnapshot) throws(Failure) {
    let removed = names.filter { name in
      guard let part = episode?.part(named: name) else { return true }
      return part.state == .removed || part.isBeingRemoved
        || part.receivedDigest != addition.digests[name] ?? part.receivedDigest
    }
    guard !removed.isEmpty else { return }
    let id = episode?.id ?? addition.episode
    let entries = snapshot.journalEntries(of: id)
    let later = entries.drop { $0.id != entry.id }.dropFirst()
    let removal = (later.isEmpty ? entries[...] : later).last { other in
      other.run != entry.run && other.addition == nil && other.canBeUndone
        && other.undoes == nil && other.reason != Self.reason
        && other.before?.parts.contains { removed.contains($0.name) && $0.state != .removed }
          ?? false
    }
    guard let removal else { return }
    throw Failure(
      .undoConflict, "'\(id)' was removed since", hint: "run 'vmx undo \(removal.id)' first")
  }

  /// - Throws: `undo-conflict` if a part has another file than the added one.
  private func checkDigests(of episode: Episode) throws(Failure) {
    for (name, digest) in addition.digests.sorted(by: { $0.key < $1.key }) {
      guard let part = episode.part(named: name), part.path != nil, part.state != .removed,
        part.receivedDigest != digest
      else { continue }
      throw Failure(.undoConflict, "the part '\(name)' of '\(episode.id)' has another file since")
    }
  }

  /// The source of a part, and the file of the library that has its bytes.
  private struct MovedSource {
    /// The path in the library; nil if the library has no file of the part.
    let file: FilePath?
    let path: FilePath
    let sha256: Digest?
    let size: ByteCount?
    /// Whether the library keeps its file, which must not share an inode with the source then.
    let isCopied: Bool
  }

  /// Returns the sources that are not at their paths.
  ///
  /// - Throws: `undo-conflict`, and `undo-impossible` if the library does not have a source.
  private func movedSources(of episode: Episode?) throws -> [MovedSource] {
    try addition.sources.sorted { $0.key < $1.key }.compactMap { name, path in
      let part = episode?.part(named: name)
      var file: FilePath?
      if let part, let published = part.path, let root = part.root, part.state != .removed {
        // A converted file does not have the received bytes.
        let kept = part.original.map { LibraryLayout.original($0.sha256) } ?? published
        file = try mediaRoots.root(root).folder.appending(kept)
      }
      let source = MovedSource(
        file: file, path: FilePath(path), sha256: addition.digests[name] ?? part?.receivedDigest,
        size: part?.original?.size ?? part?.size, isCopied: !addition.parts.contains(name))
      if try isRestored(source) { return nil }
      guard let facts = try file.flatMap({ try FileFacts.of($0) }), facts.isRegular,
        facts.size == source.size?.bytes
      else {
        throw Failure(
          .undoImpossible, "the library no longer has the file from '\(path)'",
          hint: episode.map { "run 'vmx show \($0.id)' for its files" } ?? "")
      }
      return source
    }
  }

  /// Whether the source is at its path: an interrupted undo, or that of another episode in the same
  /// file, may have restored it.
  ///
  /// - Throws: `undo-conflict` if another file is there.
  private func isRestored(_ source: MovedSource) throws -> Bool {
    guard let facts = try FileFacts.of(source.path) else { return false }
    if let kept = try source.file.flatMap({ try FileFacts.of($0) }), kept.isSameContent(as: facts) {
      return true
    }
    // An entry of an earlier version names no digest of a file that the library no longer has.
    let isUnknown = source.file == nil && source.sha256 == nil
    guard facts.isRegular, try isUnknown || removal.digest(source.path) == source.sha256 else {
      throw Failure(.undoConflict, "another file exists at '\(source.path)'")
    }
    return true
  }

  private func restore(_ source: MovedSource) throws {
    for made in try makeFolders(source.path.folder) { try syncFolder(made.folder) }
    do throws(FileError) {
      if let file = source.file { try linkOrCopy(file, to: source.path, isCopy: source.isCopied) }
    } catch {
      guard error.errno == .fileExists, try isRestored(source) else { throw error }
    }
    try syncFolder(source.path.folder)
  }

  /// Gives the source its path, as a hard link or as a copy that is renamed once it is complete.
  private func linkOrCopy(_ file: FilePath, to path: FilePath, isCopy: Bool) throws(FileError) {
    do throws(FileError) {
      if !isCopy { return try linkFile(from: file, to: path) }
    } catch {
      // Otherwise it is another file system, or one without hard links.
      if error.errno == .fileExists { throw error }
    }
    let draft = path.folder.appending(LibraryLayout.temporaryName())
    _ = try copyFile(from: file, to: draft)
    do throws(FileError) {
      try RegularFile.flush(draft)
      try renameNoReplace(from: draft, to: path)
    } catch {
      try RegularFile.remove(draft)
      throw error
    }
  }

  /// Removes the added parts from the record, or the record if it was new. Deletes what vmx wrote:
  /// files made from fields of a record, unfinished files, the sidecar and the NFO file.
  private func removeAdded(_ id: EpisodeID) throws {
    let (claim, episode) = try store.claimEpisode(id)
    defer { claim.release() }
    let roots = Set(episode.parts.compactMap(\.root))
    for part in episode.parts { try removeWritten(part, of: episode.id) }
    try store.update(.durable, room: .useReserve) { transaction in
      guard let present = try transaction.episode(episode.id) else { return }
      if let before = entry.before {
        transaction.write(
          present.without(addition, of: entry, before: before, now: transaction.now))
      } else {
        transaction.forget(episode.id)
      }
    }
    guard try store.snapshot().episode(episode.id)?.publishedVideo != nil else {
      return try removeSidecars(of: episode.id, in: roots)
    }
    try refreshSidecar(of: episode.id)
  }

  /// Deletes the sidecars of an episode without a video, and the NFO files that vmx wrote.
  private func removeSidecars(of id: EpisodeID, in roots: Set<String>) throws {
    let roots = roots.union([addition.placedIn].compactMap { $0 })
    for root in try mediaRoots.presentRoots() where roots.contains(root.uuid) {
      let sidecar = try Sidecar(of: id, below: root.folder)
      if let nfo = sidecar.nfo {
        let file = root.folder.appending(nfo.path)
        // The user has changed this NFO file, so it is kept.
        if try FileFacts.of(file)?.isRegular == true, try removal.digest(file).hex == nfo.sha256 {
          try RegularFile.remove(file)
        }
      }
      try RegularFile.remove(root.folder.appending(LibraryLayout.sidecar(of: id)))
    }
  }

  /// Deletes the unfinished files of an added part, and its file if vmx wrote it and no other
  /// program has changed it.
  private func removeWritten(_ part: Part, of id: EpisodeID) throws {
    guard entry.before == nil || addition.parts.contains(part.name), let uuid = part.root else {
      return
    }
    let root = try mediaRoots.root(uuid)
    let unfinished = PartFiles(root: root.folder, episode: id, part: part)
    try unfinished.discard()
    try RegularFile.remove(unfinished.rejectedFile)
    guard addition.written.contains(part.name), let path = part.path, let sha256 = part.sha256
    else { return }
    let file = root.folder.appending(path)
    guard try FileFacts.of(file)?.isRegular == true, try removal.digest(file) == sha256 else {
      return
    }
    try RegularFile.remove(file)
    try root.removeEmptyFolders(above: PathBytes(path))
  }

  /// Moves the files of the added parts into the trash, except those that another episode needs,
  /// and then removes these parts from the record: the repeated undo needs their paths.
  private func reduce(_ id: EpisodeID, to before: Episode) throws {
    let (claim, episode) = try store.claimEpisode(id)
    defer { claim.release() }
    let files = episode.parts.filter { addition.parts.contains($0.name) && $0.path != nil }
    let owners = try owners ?? FileOwners(of: files, in: store.snapshot())
    for part in files {
      guard let path = part.path, let root = try part.root.map(mediaRoots.root),
        try owners.sharer(of: part, in: id, below: root, isPublished: true, in: store) == nil
      else { continue }
      _ = try removal.discard(PathBytes(path), in: root, reason: entry.reason, undoing: entry)
      guard part.role == .video else { continue }
      try removeSidecars(of: id, in: [root.uuid])
      try root.removeEmptyFolders(above: PathBytes(path))
      let files = ShowFiles(of: episode, below: root.folder, in: try store.snapshot())
      if let show = try files.remove(above: path) {
        try root.removeEmptyFolders(above: PathBytes(show))
      }
    }
    try store.update(.durable, room: .useReserve) { transaction in
      guard let present = try transaction.episode(episode.id) else { return }
      transaction.write(present.without(addition, of: entry, before: before, now: transaction.now))
    }
    try refreshSidecar(of: episode.id)
  }

  private func refreshSidecar(of id: EpisodeID) throws {
    guard let episode = try store.snapshot().episode(id) else { return }
    Sidecar.refresh(episode, on: mediaRoots)
  }

  private func close() throws {
    try store.update(.durable, room: .useReserve) { transaction in
      var entry = entry
      entry.state = .undone
      transaction.write(entry.stored)
    }
  }
}

extension Episode {
  /// Returns the episode with its previous description, except what a person has set since.
  ///
  /// The named parts are removed, or replaced by the previous ones. Marks and the want are restored
  /// if the operation has changed them and nothing else since; other parts are not changed.
  fileprivate func without(
    _ addition: JournalEntry.Addition, of entry: JournalEntry, before: Episode, now: Timestamp
  ) -> Episode {
    var episode = self
    episode.restoreDescription(from: before, keepingValuesSince: entry.run.at)
    episode.restoreMarks(addition.marks, from: before)
    episode.identity = before.identity
    for name in addition.parts {
      guard let index = episode.parts.firstIndex(where: { $0.name == name }) else { continue }
      if let part = before.parts.first(where: { $0.name == name }) {
        episode.replacePart(at: index, by: part, isUndo: true, now: now)
      } else {
        episode.parts.remove(at: index)
      }
    }
    episode.recordTimes(ofValuesSince: self, at: now)
    return episode
  }
}
