import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A source that was moved comes back first, as a second name of the file in the library. Then the
// files of the library go into the trash with the episode's record, as by `vmx rm --forget`, or stay
// where they are if they were taken in place. The entry is closed last, so an interrupted undo is
// taken up by the next one: each step finds what the one before it has done.

/// Undoes the addition of an episode, or of files to one.
struct AdditionUndo {
  private let addition: JournalEntry.Addition
  private let row: JournalEntry
  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let removal: EpisodeRemover

  init(
    of addition: JournalEntry.Addition, _ row: JournalEntry, in store: LibraryStore,
    _ mediaRoots: MediaRoots, _ removal: EpisodeRemover
  ) {
    self.addition = addition
    self.row = row
    self.store = store
    self.mediaRoots = mediaRoots
    self.removal = removal
  }

  /// Undoes it; durable on return.
  ///
  /// - Parameter isDryRun: whether only to check that it could be undone.
  /// - Returns: the episode as it was before; nil for one that was new.
  /// - Throws: `undo-conflict` if another file has the path of a source, `lock-busy`, `root-away`,
  ///   and errors of the store and the file system.
  func perform(isDryRun: Bool) throws -> Episode? {
    guard let episode = try store.snapshot().episode(addition.episode) else {
      if !isDryRun { try close() }
      return row.before
    }
    let moved = try movedFiles(of: episode)
    if isDryRun { return row.before }
    for (file, source) in moved { try bringBack(file, to: source) }
    if addition.isInPlace {
      try forget(episode)
    } else if let before = row.before {
      try reduce(episode, to: before)
    } else {
      let order = RemovalOrder(.byHand, "a migration was taken back", forgets: true)
      let result = try removal.remove([episode.id], order).first?.result
      if let failure = result?.failure { throw failure }
    }
    try close()
    return row.before
  }

  /// Returns the files whose sources are gone, with the paths of the sources.
  private func movedFiles(of episode: Episode) throws -> [(file: FilePath, source: FilePath)] {
    try addition.sources.sorted { $0.key < $1.key }.compactMap { part, source in
      let source = FilePath(source)
      guard let part = episode.parts.first(where: { $0.name == part }), let path = part.path,
        let root = part.root
      else { return nil }
      let file = try mediaRoots.root(root).folder.appending(path)
      guard let facts = try FileFacts.of(source) else { return (file, source) }
      guard facts.isRegular, facts.size == part.original?.size.bytes ?? part.size?.bytes else {
        throw Failure(.undoConflict, "another file is at '\(source)'")
      }
      return nil
    }
  }

  private func bringBack(_ file: FilePath, to source: FilePath) throws {
    for folder in try makeFolders(source.folder) { try syncFolder(folder.folder) }
    do throws(FileError) {
      try linkFile(from: file, to: source)
    } catch {
      // Another file system, or one without links. The copy gets its name when it is whole.
      let draft = source.folder.appending(LibraryLayout.temporaryName())
      _ = try copyFile(from: file, to: draft)
      try RegularFile.flush(draft)
      try renameNoReplace(from: draft, to: source)
    }
    try syncFolder(source.folder)
  }

  /// Removes the record alone; the files stay.
  private func forget(_ episode: Episode) throws {
    let claim = try store.claim(episode.id)
    defer { claim.release() }
    let roots = Set(episode.parts.compactMap(\.root))
    try store.update(.durable, room: .useReserve) { transaction in
      if let before = row.before {
        transaction.put(before)
      } else {
        transaction.delete(.episode, episode.id.description)
      }
    }
    for root in try mediaRoots.presentRoots() where roots.contains(root.uuid) {
      let sidecar = try Sidecar(of: episode.id, below: root.folder)
      if let nfo = sidecar.nfo {
        let file = root.folder.appending(nfo.path)
        // One that a person has changed since is theirs.
        if try FileFacts.of(file)?.isRegular == true, try removal.digest(file).hex == nfo.sha256 {
          try RegularFile.remove(file)
        }
      }
      try RegularFile.remove(root.folder.appending(LibraryLayout.sidecar(of: episode.id)))
    }
  }

  /// Records the episode as it was, and moves the added files into the trash.
  private func reduce(_ episode: Episode, to before: Episode) throws {
    let claim = try store.claim(episode.id)
    defer { claim.release() }
    let names = Set(addition.parts)
    let files = episode.parts.filter { names.contains($0.name) && $0.path != nil }
    try store.update(.durable, room: .useReserve) { transaction in
      var reduced = before
      // Marks and the want that were changed since have nothing to do with the files.
      (reduced.want, reduced.isKept, reduced.isWatched, reduced.priority) =
        (episode.want, episode.isKept, episode.isWatched, episode.priority)
      reduced.trail = episode.trail
      transaction.put(reduced)
    }
    for part in files {
      guard let path = part.path, let root = part.root else { continue }
      _ = try removal.discard(PathBytes(path), in: mediaRoots.root(root), reason: row.reason)
    }
    if let now = try store.snapshot().episode(episode.id) {
      Sidecar.refresh(now, on: mediaRoots)
    }
  }

  private func close() throws {
    try store.update(.durable, room: .useReserve) { transaction in
      var row = row
      row.state = .undone
      transaction.put(row.record)
    }
  }
}
