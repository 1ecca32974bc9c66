package import VmxModel
package import VmxStore
import VmxSystem

// Files are put back first, then the record, with one step that also marks the row. A crash
// between the two is mended by the same command given again: a file that stands where it was, and
// is no longer in the trash, has been put back already.

/// One run of a tool, with the rows by which it can be taken back.
package struct UndoRun: Sendable, Equatable {
  /// The run.
  package let run: StepRun
  /// Its rows, in the order in which they began.
  package let rows: [StepRow]

  /// Whether any of its rows is neither taken back nor purged, nor went for good.
  package var isOpen: Bool { rows.contains { $0.canBeUndone } }

  /// Bytes that can be put back.
  package var bytes: Int64 { rows.filter(\.canBeUndone).map(\.bytes).clampedSum() }
}

extension StepRow {
  /// Whether nothing that is known yet stands against taking it back.
  package var canBeUndone: Bool {
    (state == .done || state == .begun) && !isPermanent && isReadable
  }

  /// Whether it tells what was before; a loose file has no record to be told.
  private var isReadable: Bool { before != nil || !roots.isEmpty }
}

/// Takes back what runs of destructive tools did, row by row.
package struct UndoDesk: Sendable {
  private let store: LibraryStore
  private let shelf: RootShelf
  private let removal: RemovalDesk

  /// A desk for a library.
  ///
  /// - Parameter removal: brings to its end what a crash left half done, before it is taken back.
  package init(store: LibraryStore, shelf: RootShelf, removal: RemovalDesk) {
    self.store = store
    self.shelf = shelf
    self.removal = removal
  }

  /// All runs that left rows, the last one first.
  ///
  /// - Throws: what the store throws.
  package func runs() throws -> [UndoRun] {
    var rows: [StepRun: [StepRow]] = [:]
    for row in try store.snapshot().stepRows() { rows[row.run, default: []].append(row) }
    return rows.map { UndoRun(run: $0.key, rows: $0.value) }.sorted { $0.run.id > $1.run.id }
  }

  /// Takes one row back; durable on return.
  ///
  /// - Parameter isRehearsal: whether only to tell whether it could be.
  /// - Returns: the episode as it is then; nil for a loose file.
  /// - Throws: `undo-impossible` with the reason, `undo-conflict` if something has changed since,
  ///   `root-away`, `lock-busy`, and what the store and the disk throw. Then nothing is changed.
  package func undo(_ row: StepRow, isRehearsal: Bool = false) throws -> Episode? {
    guard let id = row.episode else {
      try check(row)
      if !isRehearsal { try restore(row) { _ in } }
      return nil
    }
    guard let claim = try store.claims.claim(id) else {
      throw Failure(.lockBusy, "'\(id)' is being worked on")
    }
    defer { claim.release() }
    if row.state == .begun, !isRehearsal { _ = try removal.finish(claimed: id) }
    guard let row = try fresh(row) else {
      throw Failure(.undoImpossible, "nothing is known of that step any longer")
    }
    try check(row)
    let before = try restored(row, in: store.snapshot())
    guard !isRehearsal else { return before }
    try restore(row) { transaction in
      // What was looked at without the lock is looked at again with it.
      _ = try restored(row, in: transaction)
      transaction.put(before)
    }
    let episode = try store.snapshot().episode(id)
    if let episode { Sidecar.refresh(episode, on: shelf) }
    return episode
  }

  private func fresh(_ row: StepRow) throws -> StepRow? {
    try store.snapshot().record(.step, row.id).flatMap { StepRow($0) }
  }

  private func check(_ row: StepRow) throws(Failure) {
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

  /// The episode as it is to be again.
  ///
  /// - Throws: `undo-conflict` if it was changed since, or another one has the id.
  private func restored(
    _ row: StepRow, in episodes: any EpisodeLookup
  ) throws -> Episode {
    guard var episode = row.before else {
      throw Failure(.undoImpossible, "what is kept of the episode cannot be read")
    }
    let now = try episodes.episode(episode.id)
    if row.forgets {
      guard now == nil else {
        throw Failure(.undoConflict, "'\(episode.id)' was added again since")
      }
    } else {
      guard let now, now.id == episode.id else {
        throw Failure(.undoConflict, "'\(episode.id)' is not known by this id any longer")
      }
      guard row.state == .begun || now.rev == row.rev else {
        throw Failure(.undoConflict, "'\(episode.id)' was changed since")
      }
      episode.trail = now.trail
    }
    for index in episode.parts.indices { episode.restore(part: index, now: removal.clock.now) }
    return episode
  }

  private func restore(
    _ row: StepRow, _ record: (inout StoreTransaction) throws -> Void
  ) throws {
    let trashes = try row.roots.map { Trash(root: try shelf.root($0)) }
    let entries = try trashes.map { try $0.entry(named: row.trashName) }
    guard entries.allSatisfy({ $0 != nil }) else {
      throw Failure(.undoImpossible, "what was kept of it is no longer in the trash")
    }
    for case (let trash, let entry?) in zip(trashes, entries) { try trash.restore(entry) }
    try store.update(.durable, room: .useReserve) { transaction in
      try record(&transaction)
      var row = row
      row.state = .undone
      transaction.put(row.record)
    }
    for case (let trash, let entry?) in zip(trashes, entries) { try trash.forget(entry) }
  }
}

extension Episode {
  /// Leads a part of a record that was before back into the present; a key, which never rests in
  /// the trash, is to be fetched anew.
  fileprivate mutating func restore(part index: Int, now: Timestamp) {
    guard parts[index].state != .removed else { return }
    if parts[index].role == .key, parts[index].root != nil {
      parts[index].forgetBytes()
      parts[index].enter(.new)
    }
    let part = parts[index]
    remember(Transition(at: now, part: part.name, from: .removed, to: part.state))
  }
}
