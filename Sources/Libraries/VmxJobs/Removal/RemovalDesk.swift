package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

// A removal is recorded first, durably: want, state and a row for `vmx undo` in one step. Then the
// episode is claimed. Whoever has it in work sees the state within a second, lets go of it, and
// removes the files itself; otherwise it is done here. A crash at any point leaves the state
// `removing`, which `vmx clean`, the same command given again and whoever claims the episode next
// bring to its end.

/// Removes episodes: their files into the trash or away for good, their records to stubs.
package struct RemovalDesk: Sendable {
  /// Episodes that are begun in one step at most.
  package static let largestBatch = 1000
  /// Episodes whose files are moved at once: they share the flushes of the disk.
  private static let crew = 8

  let store: LibraryStore
  let shelf: RootShelf
  let clock: any WallClock
  let run: StepRun
  private let patience: Int64
  private let digest: @Sendable (FilePath) throws -> Digest

  /// A desk whose rows all belong to one run.
  ///
  /// - Parameters:
  ///   - patience: milliseconds that an episode in work is waited for.
  ///   - digest: reads a whole file and gives its SHA-256.
  package init(
    store: LibraryStore, shelf: RootShelf, clock: any WallClock, run: StepRun, patience: Int64,
    digest: @escaping @Sendable (FilePath) throws -> Digest
  ) {
    self.store = store
    self.shelf = shelf
    self.clock = clock
    self.run = run
    self.patience = patience
    self.digest = digest
  }

  /// Removes episodes; one that cannot be removed does not hinder the others.
  ///
  /// - Parameters:
  ///   - isRehearsal: whether only to tell what would be done.
  ///   - check: sees each fresh record before anything is done; what it throws refuses that one.
  /// - Returns: what became of each, in the order of the ids, durable.
  /// - Throws: what the store throws when the removal is to be recorded; nothing is removed then.
  package func remove(
    _ ids: [EpisodeID], _ order: RemovalOrder, isRehearsal: Bool = false,
    check: (Episode) throws -> Void = { _ in }
  ) throws -> [Result<RemovalResult, Failure>] {
    if isRehearsal {
      let snapshot = try store.snapshot()
      return try ids.map { id in
        try beginning(of: try snapshot.episode(id), id, order, check).map { beginning in
          RemovalResult(
            beginning.episode, bytes: beginning.expectedBytes, isChanged: beginning.isChanged)
        }
      }
    }
    try store.prepare(ids)
    let open = try store.snapshot().openRows()
    let begun = try store.update(.durable, room: .useReserve) { transaction in
      try ids.map { id in
        try beginning(of: try transaction.episode(id), id, order, check).map { beginning in
          beginning.recorded(in: &transaction, open: open[beginning.episode.id], order)
        }
      }
    }
    return WorkerThread.map(begun, threads: Self.crew, named: "vmx-removal") { begun in
      begun.flatMap { finish($0, order) }
    }
  }

  /// Brings a removal to its end that a crash or a failure left, or that another tool asked for.
  ///
  /// - Throws: `lock-busy` if the episode stays in work; `no-such-episode`; what the store throws.
  package func finish(_ id: EpisodeID) throws -> RemovalResult {
    guard let claim = try claim(id) else { return try standing(of: id) }
    defer { claim.release() }
    return try finish(claimed: id)
  }

  /// The same for whoever holds the claim on the episode.
  package func finish(claimed id: EpisodeID) throws -> RemovalResult {
    let snapshot = try store.snapshot()
    guard let episode = try snapshot.episode(id) else {
      throw Failure(.noSuchEpisode, "no episode has the id '\(id)'")
    }
    guard episode.parts.contains(where: \.isLeaving) else {
      // A crash between the last file and its row leaves the row open: it does not know yet in
      // which trash its files are.
      if episode.parts.contains(where: { $0.state == .removed }),
        let row = snapshot.openRow(of: id)
      {
        return try close(row, of: id)
      }
      return RemovalResult(episode, isChanged: false)
    }
    // A row may be lost with a line of the store: then the trash has what there is to know.
    let row = snapshot.openRow(of: id) ?? StepRow(run, id.description, "", before: episode)
    return try removeFiles(of: episode, row)
  }

  private func beginning(
    of episode: Episode?, _ id: EpisodeID, _ order: RemovalOrder,
    _ check: (Episode) throws -> Void
  ) throws -> Result<RemovalBeginning, Failure> {
    guard let episode else {
      return .failure(Failure(.noSuchEpisode, "no episode has the id '\(id)'"))
    }
    do {
      try check(episode)
    } catch let failure as Failure {
      return .failure(failure)
    }
    return .success(RemovalBeginning(order, of: episode, run: run, now: clock.now))
  }

  private func finish(
    _ begun: RemovalBeginning, _ order: RemovalOrder
  ) -> Result<RemovalResult, Failure> {
    guard case .files(let row) = begun.rest else {
      let isForgotten = begun.isChanged && order.forgets
      return .success(
        RemovalResult(isForgotten ? nil : begun.episode, isChanged: begun.isChanged))
    }
    do {
      let id = begun.episode.id
      guard let claim = try claim(id) else { return .success(try standing(of: id)) }
      defer { claim.release() }
      // Whoever had it in work may have removed it, or changed it on the way out.
      guard let fresh = try store.snapshot().episode(id) else {
        return .success(RemovalResult(nil, bytes: begun.expectedBytes, isChanged: true))
      }
      return .success(try removeFiles(of: fresh, row))
    } catch {
      return .failure(Failure(error))
    }
  }

  private func removeFiles(of episode: Episode, _ row: StepRow) throws -> RemovalResult {
    var episode = episode
    let bytes = RemovalBytes(shelf: shelf, row: row, digest: digest)
    let journal = StoreJournal(store, of: .removal)
    let runner = Runner([Removal.machine], journal: journal, clock: clock)
    for index in episode.parts.indices where episode.parts[index].isLeaving {
      var context = PartContext(episode, part: index, bytes: bytes)
      if let beneath = context.part.beneath { context.part.enter(beneath) }
      try runner.run(&context)
      episode = context.episode
    }
    guard let stuck = episode.parts.first(where: \.isLeaving) else {
      return try close(row, of: episode.id)
    }
    let code = stuck.code ?? .internalError
    let failure = Failure(
      code, stuck.message ?? code.entry.sentence,
      hint: code == .diskFull ? "'vmx rm --permanent' removes without the trash" : nil)
    return RemovalResult(episode, isChanged: true, failure: failure)
  }

  /// Records that the files are gone, and where they are.
  private func close(_ row: StepRow, of id: EpisodeID) throws -> RemovalResult {
    var row = row
    let entries = try shelf.presentRoots().compactMap { root in
      try Trash(root: root).entry(named: row.trashName).map { (root.uuid, $0.bytes) }
    }
    row.roots = entries.map(\.0)
    row.bytes = row.isPermanent ? row.expectedBytes : entries.map(\.1).clampedSum()
    row.state = .done
    return try store.update(.durable, room: .useReserve) { transaction in
      guard var episode = try transaction.episode(id) else {
        return RemovalResult(nil, bytes: row.bytes, isChanged: true)
      }
      transaction.delete(.progress, id.description)
      // Whoever asked for it again while it went does not ask in vain.
      if episode.want == .fetch {
        for index in episode.parts.indices where episode.parts[index].state == .removed {
          episode.step(of: index, to: .queued, now: transaction.now)
        }
      }
      let forgets = row.forgets && episode.want != .fetch
      row.rev = forgets ? nil : transaction.recorded(episode).rev
      if forgets { transaction.delete(.episode, id.description) }
      transaction.put(row.record)
      let left = forgets ? nil : try transaction.episode(id)
      return RemovalResult(left, bytes: row.bytes, isChanged: true)
    }
  }

  /// Waits for the claim as long as the patience lasts; nil if nothing is left to be claimed for.
  private func claim(_ id: EpisodeID) throws -> Claim? {
    let end = Deadline(milliseconds: patience)
    while true {
      if let claim = try store.claims.claim(id) { return claim }
      let episode = try store.snapshot().episode(id)
      guard let episode, episode.parts.contains(where: \.isLeaving) else { return nil }
      guard !end.isPast else {
        throw Failure(
          .lockBusy, "'\(id)' is being worked on",
          hint: "it is removed as soon as the other lets go of it, at the latest by 'vmx clean'")
      }
      Deadline(milliseconds: 50).sleep(nanoseconds: .max)
    }
  }

  /// What another process has made of it.
  private func standing(of id: EpisodeID) throws -> RemovalResult {
    let snapshot = try store.snapshot()
    let row = snapshot.stepRows(of: id).last
    return RemovalResult(try snapshot.episode(id), bytes: row?.bytes ?? 0, isChanged: true)
  }
}

extension RemovalBeginning {
  fileprivate var isChanged: Bool {
    switch rest {
    case .files: true
    case .nothing(let isChanged): isChanged
    }
  }

  fileprivate var expectedBytes: Int64 {
    if case .files(let row) = rest { return row.expectedBytes }
    return 0
  }
}

extension StepRow {
  /// Bytes of the files as the record knows them.
  fileprivate var expectedBytes: Int64 {
    before?.parts.filter { $0.state == .ready }.compactMap { $0.size?.bytes }.clampedSum() ?? 0
  }
}
