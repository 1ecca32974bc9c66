package import VmxModel
package import VmxStore
import VmxSystem

/// One run of a tool, with the rows by which it can be taken back.
package struct UndoRun: Sendable, Equatable {
  /// The run.
  package let run: Operation
  /// Its rows, in the order in which they began.
  package let rows: [JournalEntry]

  /// Whether any of its rows is neither taken back nor purged, nor went for good.
  package var isOpen: Bool { rows.contains { $0.canBeUndone } }

  /// Bytes that can be put back.
  package var bytes: Int64 { rows.filter(\.canBeUndone).map(\.bytes).clampedSum() }
}

extension JournalEntry {
  /// Whether nothing that is known yet stands against taking it back.
  package var canBeUndone: Bool {
    (state == .done || state == .begun) && !isPermanent && isReadable
  }

  /// Whether it tells what was before; a loose file has no record to be told.
  private var isReadable: Bool { before != nil || isOfLooseFile }
}

/// Takes back what runs of destructive tools did, row by row.
package struct UndoService: Sendable {
  private let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let removal: EpisodeRemover

  /// A desk for a library.
  ///
  /// - Parameter removal: brings to its end what a crash left half done, before it is taken back.
  package init(store: LibraryStore, mediaRoots: MediaRoots, removal: EpisodeRemover) {
    self.store = store
    self.mediaRoots = mediaRoots
    self.removal = removal
  }

  /// All runs that left rows, the last one first.
  ///
  /// - Throws: what the store throws.
  package func runs() throws -> [UndoRun] {
    var rows: [Operation: [JournalEntry]] = [:]
    for row in try store.snapshot().stepRows() { rows[row.run, default: []].append(row) }
    return rows.map { UndoRun(run: $0.key, rows: $0.value) }.sorted { $0.run.id > $1.run.id }
  }

  /// Takes one row back; durable on return.
  ///
  /// - Parameter isRehearsal: whether only to tell whether it could be.
  /// - Returns: the episode as it is then; nil for a loose file.
  /// - Throws: `undo-impossible` with the reason, `undo-conflict` if something has changed since,
  ///   `root-away`, `lock-busy`, and what the store and the disk throw. Then nothing is changed.
  package func undo(_ row: JournalEntry, isDryRun: Bool = false) throws -> Episode? {
    guard let id = row.episode else {
      try check(row)
      if !isDryRun { try restoreFile(row) }
      return nil
    }
    guard let claim = try store.claims.claim(id) else {
      throw Failure(.lockBusy, "'\(id)' is being worked on")
    }
    defer { claim.release() }
    var row = try fresh(row)
    try check(row)
    if row.state == .begun {
      if isDryRun { return row.before }
      // Where its files are is known only when the removal has ended.
      if let failure = try removal.finish(claimed: id).failure { throw failure }
      row = try fresh(row)
    }
    let restoration = try Restoration(of: row, in: store, mediaRoots, clock: removal.clock)
    if isDryRun { return restoration.episode }
    try restoration.perform(removal)
    let episode = try store.snapshot().episode(id)
    if let episode { Sidecar.refresh(episode, on: mediaRoots) }
    return episode
  }

  /// Removes the lists of entries whose rows were taken back, which a crash or a failed call left.
  ///
  /// - Throws: what the store throws.
  package func removeLeftovers() throws {
    let rows = try store.snapshot().stepRows().filter { $0.state == .undone && !$0.roots.isEmpty }
    guard !rows.isEmpty else { return }
    let roots = try mediaRoots.presentRoots()
    for row in rows {
      for root in roots where row.roots.contains(root.uuid) {
        let trash = Trash(root: root)
        do throws(FileError) {
          if let entry = try trash.entry(named: row.trashName) { trash.removeLeftover(entry) }
        } catch {
          // A list that cannot be read now is removed by 'vmx clean' later.
        }
      }
    }
  }

  private func fresh(_ row: JournalEntry) throws -> JournalEntry {
    guard let row = try store.snapshot().record(.step, row.id).flatMap({ JournalEntry($0) }) else {
      throw Failure(.undoImpossible, "nothing is known of that step any longer")
    }
    return row
  }

  private func check(_ row: JournalEntry) throws(Failure) {
    let subject = row.episode.map { "'\($0)'" } ?? "the file"
    switch row.state {
    case .undone: throw Failure(.undoImpossible, "\(subject) was taken back already", hint: "")
    case .purged: throw Failure(.undoImpossible, "\(subject) was purged from the trash")
    case .begun, .done: break
    }
    if row.isPermanent { throw Failure(.undoImpossible, "\(subject) was deleted for good") }
    if row.before == nil, row.roots.isEmpty {
      throw Failure(.undoImpossible, "what is kept of \(subject) cannot be read")
    }
  }

  /// Restores a file that belongs to no episode.
  private func restoreFile(_ row: JournalEntry) throws {
    // Before the list of the trash is written nothing has been moved.
    let isUntouched =
      try row.state == .begun
      && row.roots.allSatisfy { uuid in
        try Trash(root: mediaRoots.root(uuid)).entry(named: row.trashName) == nil
      }
    let kept = isUntouched ? [] : try mediaRoots.trashed(of: row)
    for (trash, entry) in kept { try trash.restore(entry) }
    try store.update(.durable, room: .useReserve) { transaction in
      var row = row
      row.state = .undone
      transaction.put(row.record)
    }
    for (trash, entry) in kept { trash.removeLeftover(entry) }
  }
}
