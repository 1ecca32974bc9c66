import SystemPackage
import VmxEngine
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// A removal is recorded first, durably: want, state and a journal entry for `vmx undo` in one
// transaction. Then the episode is claimed. A worker that holds the claim sees the state within a
// second, stops, and removes the files itself; otherwise this process removes them. A crash at any
// point leaves the state `removing`. Then `vmx clean`, the repeated command, or the next process
// that claims the episode completes the removal, or withdraws it if the episode was requested again
// (`EpisodeRemover+Withdrawal`). A removal that fails because nothing may be changed is withdrawn
// too.

/// Removes episodes: moves their files into the trash or deletes them, and reduces their records to
/// stubs.
package struct EpisodeRemover: Sendable {
  /// The maximum number of episodes whose removal begins in one transaction.
  package static let maxBatchSize = 1000
  /// The number of episodes whose files are moved in parallel, so that they share disk flushes.
  private static let parallelism = 8

  let tools: LibraryTools
  private let claimTimeout: Int64
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var clock: any WallClock { tools.clock }
  var run: Operation { tools.run }
  var digest: @Sendable (FilePath) throws -> Digest { tools.digest }

  /// Creates a remover.
  ///
  /// - Parameter claimTimeout: the maximum wait in milliseconds for an episode that another process
  ///   has claimed.
  package init(_ tools: LibraryTools, claimTimeout: Int64 = 0) {
    self.tools = tools
    self.claimTimeout = claimTimeout
  }

  /// Removes episodes. A failure for one episode does not stop the others.
  ///
  /// - Parameters:
  ///   - owners: the owners of the files of all these episodes, if the caller has searched for
  ///     them.
  ///   - check: called with each current record before any change; an error that it throws refuses
  ///     that episode.
  /// - Returns: the result for each episode, in the order of the ids, durable.
  /// - Throws: errors of the store while the removal is recorded; nothing is removed then.
  package func remove(
    _ ids: [EpisodeID], _ options: RemovalOptions, owners: FileOwners? = nil,
    check: (Episode) throws -> Void = { _ in }
  ) throws -> [EpisodeResult] {
    if store.isDryRun {
      let snapshot = try store.snapshot()
      return try ids.map { id in
        switch try start(of: snapshot.episode(id), id: id, options: options, check: check) {
        case .success(let start):
          EpisodeResult(start.episode, OperationResult(isChanged: start.isChanged))
        case .failure(let failure): EpisodeResult(id, OperationResult(failure))
        }
      }
    }
    try store.prepare(ids)
    let open = try store.snapshot().openEntries()
    let begun = try store.update(.durable, room: .useReserve) { transaction in
      try ids.map { id in
        try start(of: transaction.episode(id), id: id, options: options, check: check).flatMap {
          start in
          Result {
            try start.recorded(in: &transaction, open: open[start.episode.id], options)
          }.mapError { Failure($0) }
        }
      }
    }
    let owners =
      try owners
      ?? self.owners(
        of: begun.compactMap { if case .success(let start) = $0 { start.episode } else { nil } })
    let results = WorkerThread.map(begun, threads: Self.parallelism, named: "vmx-removal") {
      begun in
      begun.flatMap { begun in
        Result { try finish(begun, options: options, owners: owners) }.mapError { Failure($0) }
      }
    }
    return zip(ids, results).map { id, result in
      switch result {
      case .success(let result):
        // A request that this removal withdraws may be beside the media.
        if let episode = result.episode { Sidecar.refreshRequest(of: episode, on: mediaRoots) }
        return result
      case .failure(let failure): return EpisodeResult(id, OperationResult(failure))
      }
    }
  }

  /// Completes a removal that a crash or a failure interrupted, or that another tool requested.
  ///
  /// - Throws: `lock-busy` if another process holds the claim; `no-such-episode`; errors of the
  ///   store.
  package func finish(_ id: EpisodeID) throws -> EpisodeResult {
    let snapshot = try store.snapshot()
    // An open journal entry keeps the former id of an episode that was renamed since.
    let id = snapshot.openEntry(of: id) == nil ? try snapshot.resolve(id) ?? id : id
    guard let claim = try claim(id) else { return try recordedResult(of: id) }
    defer { claim.release() }
    return try finish(claimed: id)
  }

  /// Completes a removal like `finish`; the caller holds the claim on the episode.
  package func finish(claimed id: EpisodeID) throws -> EpisodeResult {
    let snapshot = try store.snapshot()
    let episode = try snapshot.episode(id)
    // The claim is on a former id if the episode was renamed.
    guard let episode, episode.id == id, episode.parts.contains(where: \.isBeingRemoved) else {
      // A crash between the last file and its journal entry leaves the entry open, without the
      // trash that holds the files.
      if let entry = snapshot.openEntry(of: id), let result = try close(entry, of: id) {
        return result
      }
      guard let episode else { throw Failure.noSuchEpisode(id) }
      return EpisodeResult(episode, .unchanged())
    }
    // A damaged line of the store may have lost the journal entry. The trash then has the remaining
    // facts.
    let entry =
      snapshot.openEntry(of: id)
      ?? JournalEntry(run, .removal(of: episode), reason: "")
    return try removeFiles(of: episode, entry, owners(of: [episode]))
  }

  /// Performs what other processes have requested for an episode: removes the files of cancelled
  /// parts, and completes a removal. The caller holds the claim.
  ///
  /// - Returns: the episode after these changes.
  /// - Throws: `no-such-episode` if its record was removed too; errors of the file system and the
  ///   store.
  package func applyRequests(_ episode: Episode) throws -> Episode {
    let episode = try CancelledFiles(in: store, digest: digest).remove(of: episode)
    guard episode.parts.contains(where: \.isBeingRemoved) else { return episode }
    let result = try finish(claimed: episode.id)
    if let failure = result.result.failure { throw failure }
    guard let left = result.episode else {
      throw Failure(.noSuchEpisode, "another process removed '\(episode.id)'")
    }
    return left
  }

  private func start(
    of episode: Episode?, id: EpisodeID, options: RemovalOptions,
    check: (Episode) throws -> Void
  ) throws -> Result<RemovalStart, Failure> {
    guard let episode else { return .failure(Failure.noSuchEpisode(id)) }
    do {
      try check(episode)
    } catch let failure as Failure {
      return .failure(failure)
    }
    return .success(
      RemovalStart(
        options, of: episode, run: run, now: clock.now, isReachable: mediaRoots.isMounted))
  }

  private func finish(
    _ begun: RemovalStart, options: RemovalOptions, owners: FileOwners
  ) throws -> EpisodeResult {
    let id = begun.episode.id
    guard let entry = begun.entry else {
      let isForgotten = begun.isChanged && options.removesRecord
      return EpisodeResult(
        id, OperationResult(isChanged: begun.isChanged), episode: isForgotten ? nil : begun.episode)
    }
    guard let claim = try claim(id) else { return try recordedResult(of: id) }
    defer { claim.release() }
    // The worker that held the claim may have removed the episode, and another process may have
    // renamed it afterwards.
    let snapshot = try store.snapshot()
    let fresh = snapshot.journalEntry(entry.id) ?? entry
    if fresh.state == .begun, let episode = try snapshot.episode(id), episode.id == id {
      return try removeFiles(of: episode, fresh, owners)
    }
    guard try snapshot.episode(id)?.parts.contains(where: \.isBeingRemoved) == true else {
      return try recordedResult(of: id)
    }
    return try finish(claimed: id)
  }

  /// Finds the owners of the files of episodes that are being removed, with one scan of the store.
  private func owners(of episodes: [Episode]) throws -> FileOwners {
    let parts = episodes.flatMap(\.parts).filter(\.isBeingRemoved)
    return FileOwners(of: parts, in: try store.snapshot())
  }

  private func removeFiles(
    of episode: Episode, _ entry: JournalEntry, _ owners: FileOwners
  ) throws -> EpisodeResult {
    if episode.isRequested, let result = try withdraw(entry, of: episode.id) { return result }
    var (episode, owners, notes) = (episode, owners, [String]())
    let runner = Runner<RemovalContext>(
      [Removal.machine], journal: StoreJournal(store, of: .removal), clock: clock)
    var left = Set(episode.parts.indices.filter { episode.parts[$0].isBeingRemoved })
    // Another process may request the episode and remove it again during this work: that removal
    // begins with parts that are already removed.
    while let index = episode.parts.removalOrder.first(where: {
      left.contains($0) || episode.parts[$0].state.isBeingRemoved
    }) {
      left.remove(index)
      let part = episode.parts[index]
      if !owners.includes(part) { owners = try self.owners(of: [episode]) }
      let files = FileRemover(
        store: store, mediaRoots: mediaRoots, entry: entry, owners: owners, digest: digest)
      var context = RemovalContext(episode, part: index, files)
      if let resumeState = context.part.resumeState { context.part.enter(resumeState) }
      do {
        try runner.run(&context)
      } catch WorkEnded.wantChanged {
        // A request has withdrawn the removal before it changed any file.
        return try recordedResult(of: episode.id)
      }
      episode = context.episode
      if context.part.state == .removed, let note = try files.note(on: part, of: episode.id) {
        notes.append(note)
      }
    }
    guard let stuck = episode.parts.first(where: \.isBeingRemoved) else {
      if try store.snapshot().episode(episode.id)?.isRequested == true,
        let result = try withdraw(entry, of: episode.id)
      {
        return result
      }
      var result = try close(entry, of: episode.id) ?? finish(claimed: episode.id)
      result.notes += notes
      return result
    }
    let code = stuck.code ?? .internalError
    let failure = Failure(
      code, stuck.message ?? code.entry.sentence,
      hint: code == .diskFull ? "run 'vmx rm --permanent' to delete without the trash" : nil)
    // Nothing may be changed there, so the next attempt would fail too. The removal is refused.
    let isRefused = code == .mediaUnwritable
    let before = try isRefused ? withdraw(entry, of: episode.id, asRefused: true)?.episode : nil
    return EpisodeResult(before ?? episode, OperationResult(failure))
  }

  /// Records that the files are removed, and which trash holds them.
  ///
  /// - Returns: nil if the removal was restarted or made permanent by then; nothing is recorded
  ///   then.
  /// - Throws: `root-away` while the trash of a root that had files cannot be read.
  private func close(_ entry: JournalEntry, of id: EpisodeID) throws -> EpisodeResult? {
    var entry = entry
    for root in entry.rootsBefore { _ = try mediaRoots.root(root) }
    var entries = try mediaRoots.presentRoots().compactMap { root in
      let trash = Trash(root: root)
      return try trash.entry(named: entry.trashName).map { (trash: trash, entry: $0) }
    }
    if entry.isPermanent {
      // The removal may have begun as a move into the trash.
      for (trash, entry) in entries { try trash.purgeAll(of: entry) }
      entries = []
    }
    entry.roots = entries.map(\.trash.root.uuid)
    entry.isUntouched = false
    entry.bytes =
      entry.isPermanent ? entry.expectedBytes : entries.map(\.entry.bytes).clampedSum()
    entry.state = .done
    return try store.update(.durable, room: .useReserve) { transaction in
      let stored = transaction.journalEntry(entry.id) ?? entry
      guard var episode = try transaction.episode(id), episode.id == id else {
        if stored.state == .begun { transaction.write(entry.stored) }
        return EpisodeResult(id, .done)
      }
      guard stored.isPermanent == entry.isPermanent,
        !episode.parts.contains(where: \.isBeingRemoved)
      else { return nil }
      entry.removesRecord = stored.removesRecord
      transaction.delete(.progress, id.description)
      // A request made during the removal is honoured: the parts are queued again.
      if episode.want == .fetch {
        for index in episode.parts.indices where episode.parts[index].state == .removed {
          episode.step(of: index, to: .queued, now: transaction.now)
        }
      }
      let forgets = entry.removesRecord && episode.want != .fetch
      entry.rev = forgets ? nil : transaction.recorded(episode).rev
      if forgets {
        transaction.forget(id)
        transaction.delete(.position, id.description)
        transaction.delete(.licence, id.description)
        if let joined = entry.joined { transaction.writeAlias(id, joined.id) }
      }
      transaction.write(entry.stored)
      return EpisodeResult(id, .done, episode: forgets ? nil : try transaction.episode(id))
    }
  }

  /// Waits for the claim, up to `claimTimeout`; returns nil if no part is being removed any more.
  ///
  /// - Throws: `lock-busy` after the timeout; `WorkEnded.interrupted` after a request to stop.
  private func claim(_ id: EpisodeID) throws -> Claim? {
    var claim: Claim?
    let isSettled = try store.lockWait(milliseconds: claimTimeout).acquire {
      claim = try store.claims.claim(id)
      guard claim == nil else { return true }
      return try store.snapshot().episode(id)?.parts.contains(where: \.isBeingRemoved) != true
    }
    guard isSettled else {
      throw Failure.inUse(
        id, hint: "that process completes the removal; if not, the next 'vmx clean' does")
    }
    return claim
  }

  /// Returns the result that another process has recorded.
  private func recordedResult(of id: EpisodeID) throws -> EpisodeResult {
    let episode = try store.snapshot().episode(id)
    return EpisodeResult(episode?.id ?? id, .done, episode: episode)
  }
}
