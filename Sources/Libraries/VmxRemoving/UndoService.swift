package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

/// One operation, with the journal entries by which it can be undone.
package struct UndoRun: Sendable, Equatable {
  /// The operation.
  package let run: Operation
  /// Its journal entries, in the order in which they began.
  package let entries: [JournalEntry]

  /// Whether any of its entries can still be undone.
  package var isOpen: Bool { entries.contains { $0.canBeUndone } }

  /// The total size in bytes of the files that can be restored.
  package var bytes: Int64 { entries.filter(\.canBeUndone).map(\.bytes).clampedSum() }
}

extension [UndoRun] {
  /// Returns the journal entries of the last operations that were not undone, the latest first.
  ///
  /// Permanently deleted files are included, so that they are reported and no older operation is
  /// undone instead. The files that an undo has removed are not: they would return without a
  /// record.
  package func entries(ofLast count: Int) -> [JournalEntry] {
    let left = map { run in
      run.entries.filter { $0.state != .undone && !($0.isOfLooseFile && $0.undoes != nil) }
    }.filter { !$0.isEmpty }
    return left.prefix(count).flatMap { $0.reversed() }
  }

  /// Returns the journal entries of an operation that are not undone, the latest first, or all if
  /// all are; or the entry with that name.
  package func entries(named name: String) -> [JournalEntry] {
    flatMap { run in
      guard run.run.id == name else { return run.entries.filter { $0.id == name } }
      let left = run.entries.filter { $0.state != .undone }
      return (left.isEmpty ? run.entries : left).reversed()
    }
  }
}

extension JournalEntry {
  /// Whether no known obstacle prevents undoing it.
  package var canBeUndone: Bool {
    (state == .done || state == .begun) && (!isPermanent || isUndoneByRecord) && !isUnreadable
  }

  /// Whether it is a removal that has changed no file yet, so that only the store must be changed.
  var isUndoneByRecord: Bool { state == .begun && isUntouched && isWithdrawable }

  /// Its state as one word for the user: `open`, `undone`, `purged` or `permanent`.
  package var stateName: String {
    if canBeUndone { return "open" }
    return isPermanent && state != .undone ? "permanent" : state.rawValue
  }
}

extension StoreSnapshot {
  /// Whether an operation has moved or recorded anything that can be undone.
  package func canUndo(_ run: Operation) -> Bool {
    journalEntries().contains { $0.run == run && $0.canBeUndone }
  }
}

/// Undoes removals, journal entry by journal entry.
package struct UndoService: Sendable {
  /// The number of entries undone in parallel, so that they share disk flushes.
  private static let parallelism = 8
  /// The maximum number of entries undone before their results are reported.
  private static let maxBatchSize = 256

  let removal: EpisodeRemover
  private let sidecars: SidecarWriter
  var store: LibraryStore { removal.store }
  var mediaRoots: MediaRoots { removal.mediaRoots }

  /// Creates the service for a library. NFO files follow renamed videos.
  ///
  /// - Parameter removal: completes an interrupted removal before it is undone.
  package init(_ removal: EpisodeRemover) {
    self.removal = removal
    sidecars = removal.tools.sidecars
  }

  /// Returns all operations that have journal entries, latest first. The order is that of their
  /// first entries in the store, whatever the clock showed.
  ///
  /// The removals by which an entry is being undone are left out, until it is undone: the repeated
  /// command completes that undo.
  ///
  /// - Throws: errors of the store.
  package func runs() throws -> [UndoRun] {
    let entries = try store.snapshot().journalEntries()
    let open = Set(entries.filter { $0.state != .undone }.map(\.id))
    var runs: [Operation] = []
    var entriesOfRun: [Operation: [JournalEntry]] = [:]
    for entry in entries where !(entry.undoes.map(open.contains) ?? false) {
      if entriesOfRun[entry.run] == nil { runs.append(entry.run) }
      entriesOfRun[entry.run, default: []].append(entry)
    }
    return runs.reversed().map { UndoRun(run: $0, entries: entriesOfRun[$0] ?? []) }
  }

  /// Undoes journal entries, several in parallel. A failure for one entry does not stop the others.
  ///
  /// - Parameter report: receives the index, the result and the restored episode of each entry, in
  ///   their order; durable by then.
  /// - Throws: errors of the store and of `report`.
  package func undo(
    _ entries: [JournalEntry],
    report: (_ index: Int, OperationResult, Episode?) throws -> Void
  ) throws {
    var next = 0
    while next < entries.count {
      // A file may have the previous name of another, so the order of renamings matters.
      let renamings = Array(
        entries[next...].prefix(Self.maxBatchSize).prefix { $0.renaming != nil })
      if !renamings.isEmpty {
        for result in undoRenaming(renamings) {
          switch result {
          case .success(let episode): try report(next, .done, episode)
          case .failure(let failure): try report(next, OperationResult(failure), nil)
          }
          next += 1
        }
        continue
      }
      var batch = [entries[next]]
      // A second entry for the same episode, for a loose file, or for another record that was
      // joined with the same one, waits for the earlier entries.
      var episodes = Set([entries[next].episode])
      while !episodes.contains(nil), entries[next].joined == nil, batch.count < Self.maxBatchSize,
        next + batch.count < entries.count, entries[next + batch.count].renaming == nil,
        entries[next + batch.count].show == nil,
        entries[next + batch.count].joined == nil,
        let id = entries[next + batch.count].episode,
        episodes.insert(id).inserted
      {
        batch.append(entries[next + batch.count])
      }
      let owners = store.isDryRun ? nil : try ownersOfAdditions(in: batch)
      let results = WorkerThread.map(batch, threads: Self.parallelism, named: "vmx-undo") { entry in
        Result { try undo(entry, owners: owners) }.mapError { Failure($0) }
      }
      for (index, result) in results.enumerated() {
        switch result {
        case .success(let episode): try report(next + index, .done, episode)
        case .failure(let failure): try report(next + index, OperationResult(failure), nil)
        }
      }
      next += batch.count
    }
  }

  /// Finds the owners of the files of added episodes, with one scan of the store; nil if no entry
  /// is an addition.
  private func ownersOfAdditions(in entries: [JournalEntry]) throws -> FileOwners? {
    let snapshot = try store.snapshot()
    let episodes = try entries.compactMap(\.addition).compactMap {
      try snapshot.episode($0.episode)
    }
    return episodes.isEmpty ? nil : FileOwners(of: episodes.flatMap(\.parts), in: snapshot)
  }

  /// Undoes one journal entry; durable on return.
  ///
  /// - Parameter owners: the owners of the files of an added episode; nil to search for them.
  /// - Returns: the restored episode; nil for a loose file.
  /// - Throws: `undo-impossible` with the reason, `undo-conflict` if something has changed since,
  ///   `root-away`, `lock-busy`, and errors of the store and the file system. Then nothing is
  ///   changed.
  package func undo(_ entry: JournalEntry, owners: FileOwners? = nil) throws -> Episode? {
    if let addition = entry.addition {
      let entry = try reloaded(entry)
      try check(entry)
      return try AdditionUndo(addition: addition, entry: entry, removal: removal, owners: owners)
        .perform()
    }
    if entry.show != nil {
      let fresh = try reloaded(entry)
      try check(fresh)
      try undoShow(fresh)
      return nil
    }
    guard let id = entry.episode else {
      try check(entry)
      guard !store.isDryRun else { return nil }
      let claim = try store.claim(fileOf: entry.id)
      defer { claim.release() }
      let fresh = try reloaded(entry)
      try check(fresh)
      try restoreFile(fresh)
      return nil
    }
    let fresh = try reloaded(entry)
    try check(fresh)
    if store.isDryRun, try hasSuccessor(fresh) { return fresh.before }
    let replaced = try store.isDryRun ? nil : replaceSuccessor(of: fresh)
    do {
      return try restore(entry, id)
    } catch {
      guard let replaced else { throw error }
      let first = error
      do {
        _ = try restore(replaced, id)
      } catch {
        // The successor stays in the trash, with its journal entry.
        let failure = Failure(first)
        throw Failure(
          failure.code, failure.summary,
          hint: "run 'vmx undo' again to restore what is in the trash")
      }
      throw first
    }
  }

  /// Restores the episode of a journal entry.
  private func restore(_ entry: JournalEntry, _ id: EpisodeID) throws -> Episode? {
    let claim = try store.claim(id)
    defer { claim.release() }
    var entry = try reloaded(entry)
    try check(entry)
    if entry.state == .begun {
      if store.isDryRun { return entry.before }
      if entry.isUndoneByRecord, let result = try removal.withdraw(entry, of: id, undoing: true) {
        return result.episode
      }
      // The location of its files is known only after the removal has ended.
      let result = try removal.finish(claimed: id)
      if let failure = result.result.failure { throw failure }
      entry = try reloaded(entry)
      // The episode was requested in the meantime, and so its removal was withdrawn.
      if entry.state == .undone { return result.episode }
    }
    let restoration = try Restoration(
      of: entry, in: store, mediaRoots, clock: removal.clock, digest: removal.digest)
    if store.isDryRun { return restoration.episode }
    try restoration.perform(removal)
    let episode = try store.snapshot().episode(id)
    // The removal of the last file of a show has removed the show's NFO file too. What cannot be
    // written now, the next change of the episode writes.
    if let episode { _ = sidecars.write(episode) }
    if let joined = try entry.joined.flatMap({ try store.snapshot().episode($0.id) }) {
      _ = sidecars.write(joined)
    }
    return episode
  }

  /// Removes the lists of undone entries that a crash or a failed call left in the trash.
  ///
  /// - Throws: errors of the store.
  package func removeLeftovers() throws {
    let entries = try store.snapshot().journalEntries().filter {
      $0.state == .undone && !$0.roots.isEmpty
    }
    guard !entries.isEmpty else { return }
    let roots = try mediaRoots.presentRoots()
    for entry in entries {
      for root in roots where entry.roots.contains(root.uuid) {
        let trash = Trash(root: root)
        do throws(FileError) {
          if let trashEntry = try trash.entry(named: entry.trashName) {
            trash.removeLeftover(trashEntry)
          }
        } catch {
          // 'vmx clean' later removes a list that cannot be read now.
        }
      }
    }
  }

  func reloaded(_ entry: JournalEntry) throws -> JournalEntry {
    guard let entry = try store.snapshot().journalEntry(entry.id) else {
      throw Failure(.undoImpossible, "the step is no longer recorded")
    }
    return entry
  }

  func check(_ entry: JournalEntry) throws(Failure) {
    let subject =
      entry.episode.map { "'\($0)'" } ?? entry.show.map { "the show '\($0.before.slug)'" }
      ?? "the file"
    switch entry.state {
    case .undone: throw Failure(.undoImpossible, "\(subject) was already undone", hint: "")
    case .purged: throw Failure(.undoImpossible, "\(subject) was purged from the trash")
    case .begun, .done: break
    }
    if entry.isPermanent, !entry.isUndoneByRecord {
      throw Failure(.undoImpossible, "\(subject) was deleted permanently")
    }
    if entry.isUnreadable {
      throw Failure(.undoImpossible, "cannot read the kept record of \(subject)")
    }
  }

  /// Restores a file that belongs to no episode.
  private func restoreFile(_ entry: JournalEntry) throws {
    // Before the list of the trash entry is written, no file has been moved.
    let isUntouched =
      try entry.state == .begun
      && entry.roots.allSatisfy { uuid in
        try Trash(root: mediaRoots.root(uuid)).entry(named: entry.trashName) == nil
      }
    let kept = isUntouched ? [] : try mediaRoots.trashed(of: entry)
    for (trash, trashEntry) in kept { try trash.restore(trashEntry) }
    try store.update(.durable, room: .useReserve) { transaction in
      var entry = entry
      entry.state = .undone
      transaction.write(entry.stored)
    }
    for (trash, trashEntry) in kept { trash.removeLeftover(trashEntry) }
  }
}
