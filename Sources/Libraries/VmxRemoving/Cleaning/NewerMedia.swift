import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// A home that is restored from a backup is older than the media beside it. Their sidecars have the
// marks that were set since, and the trash has the removals. Both are taken over before anything is
// planned, so that no removed film is fetched again and no newer sidecar is overwritten.

/// Takes over what the sidecars and the trash know and the store has lost.
package struct NewerMedia {
  /// The numbers of episodes whose marks and removals are newer in the media.
  package struct Found: Sendable, Equatable {
    /// The episodes with newer marks.
    package var marks = 0
    /// The removals that the store does not know.
    package var removals = 0
    /// The episodes whose sidecars are older than their records.
    package var outdated: Set<EpisodeID> = []

    /// Whether the store lacks nothing.
    package var isEmpty: Bool { marks == 0 && removals == 0 }
  }

  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let isDryRun: Bool
  private let now: Timestamp

  /// Creates the comparison for the roots of a library.
  ///
  /// - Parameter isDryRun: whether only to count.
  package init(_ store: LibraryStore, isDryRun: Bool, now: Timestamp) {
    self.store = store
    self.isDryRun = isDryRun
    self.now = now
    mediaRoots = MediaRoots(store: store)
  }

  /// Takes over newer marks and removals; durable on return. Files and folders that cannot be read
  /// are skipped; the plan of the run reports them.
  ///
  /// - Throws: errors of the store.
  package func takeOver() throws -> Found {
    var found = Found()
    for root in try mediaRoots.presentRoots() {
      let failures = ReadFailures()
      found.removals +=
        try failures.attempt(at: PathBytes(LibraryLayout.Folder.trash.path)) {
          try removals(in: root, failures)
        } ?? 0
      found.marks +=
        try failures.attempt(at: PathBytes(LibraryLayout.Folder.records.path)) {
          try marks(in: root, failures, &found.outdated)
        } ?? 0
    }
    return found
  }

  private func marks(
    in root: MediaRoot, _ failures: ReadFailures, _ outdated: inout Set<EpisodeID>
  ) throws -> Int {
    let snapshot = try store.snapshot()
    var count = 0
    for file in try root.files(below: LibraryLayout.Folder.records.path) {
      guard let id = LibraryLayout.episode(ofSidecar: file.path),
        let episode = try snapshot.episode(id), episode.id == id,
        let sidecar = try failures.attempt(
          at: file.path, { try Sidecar(of: id, below: root.folder) })
      else { continue }
      guard sidecar.restoringMarks(of: episode, now: now) != nil else {
        if sidecar.isOutdated(for: episode) { outdated.insert(id) }
        continue
      }
      count += 1
      if isDryRun { continue }
      try store.update(.durable, room: .useReserve) { transaction in
        guard let present = try transaction.episode(id), present.id == id,
          let restored = sidecar.restoringMarks(of: present, now: now)
        else { return }
        transaction.write(restored)
      }
    }
    return count
  }

  private func removals(in root: MediaRoot, _ failures: ReadFailures) throws -> Int {
    let snapshot = try store.snapshot()
    let trash = Trash(root: root)
    var count = 0
    for listed in try TrashListing(trash, failures, now: now).entries where listed.isListed {
      let path = PathBytes(LibraryLayout.trashEntry(listed.name))
      guard
        let entry = try failures.attempt(at: path, { try trash.listedEntry(named: listed.name) }),
        snapshot.record(.step, entry.step) == nil, let id = entry.episode,
        let episode = try snapshot.episode(id), try isLost(entry, of: episode, in: trash)
      else { continue }
      count += 1
      if !isDryRun { try record(entry, of: episode, in: root) }
    }
    return count
  }

  /// Whether the files of a removal that the store does not know are in the trash and nowhere else,
  /// and the record of the episode is not newer than the removal.
  private func isLost(_ entry: TrashEntry, of episode: Episode, in trash: Trash) throws -> Bool {
    guard let rev = entry.row["before_rev"]?.integer, episode.rev <= rev,
      try trash.hasFiles(entry)
    else { return false }
    return try entry.files.contains { file in
      try episode.parts.contains { part in
        part.root == trash.root.uuid && part.path.map { PathBytes($0) == file.path } ?? false
          && [.ready, .missing, .damaged].contains(part.state)
      } && FileFacts.of(trash.root.file(at: file.path)) == nil
    }
  }

  private func record(_ entry: TrashEntry, of episode: Episode, in root: MediaRoot) throws {
    let stored = StoredRecord(kind: .step, id: entry.step, fields: entry.row)
    guard var row = JournalEntry(stored) else { return }
    row.roots = [root.uuid]
    row.bytes = entry.bytes
    row.state = .done
    row.isUntouched = false
    let paths = Set(entry.files.map(\.path))
    try store.update(.durable, room: .useReserve) { transaction in
      guard var present = try transaction.episode(episode.id), present.rev == episode.rev else {
        return
      }
      for index in present.parts.indices {
        guard let path = present.parts[index].path, paths.contains(PathBytes(path)) else {
          continue
        }
        present.step(of: index, to: .removed, now: transaction.now)
        present.parts[index].clearBytes()
      }
      let reason = row.cause ?? .byHand
      present.want = reason.want
      present.removal = EpisodeRemoval(at: row.run.at, tool: row.run.tool, reason: reason)
      row.rev = transaction.recorded(present).rev
      transaction.write(row.record)
    }
  }
}
