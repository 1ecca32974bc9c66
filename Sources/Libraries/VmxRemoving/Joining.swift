import VmxLibrary
import VmxModel
import VmxStore

// A join is a removal that deletes the record, after the older record has taken over what it has,
// in the transaction in which the removal begins. A file that only the other record had stays where
// it is, since the kept record names it by then; a second file of the same part goes into the
// trash. The other id becomes an alias when the removal ends. One journal entry has both previous
// records, so that an undo brings both back or changes nothing.

extension JournalEntry {
  /// Joins the record of the entry's episode into an older one.
  ///
  /// - Returns: the older record as it was.
  /// - Throws: `plan-changed` if there is no such record; `store-too-long` if it would not fit.
  func join(with id: EpisodeID, in transaction: inout StoreTransaction) throws -> Episode {
    guard let kept = try transaction.episode(id), kept.id == id, let before, before.id != id else {
      throw Failure(.planChanged, "the record has changed since the step was planned: '\(id)'")
    }
    let joined = kept.joined(with: before, now: transaction.now)
    try StoreTransaction.checkLength(of: joined)
    transaction.write(joined)
    transaction.joinPosition(of: before, into: id)
    return kept
  }

  /// Checks that the older record is still what the join has made of it.
  ///
  /// - Throws: `undo-conflict`.
  func checkJoined(_ current: Episode?) throws(Failure) {
    guard let joined, let before else { return }
    guard let current, current.id == joined.id,
      current.isSameRecord(as: joined.joined(with: before, now: current.added))
    else { throw Failure(.undoConflict, "'\(joined.id)' has changed since it was joined") }
  }

  /// Restores the older record to what it was before the join; does nothing for any other entry.
  ///
  /// - Throws: `undo-conflict` if it has changed since, errors of the store.
  func separate(in transaction: inout StoreTransaction) throws {
    guard let joined, let before else { return }
    let current = try transaction.episode(joined.id)
    try checkJoined(current)
    transaction.delete(.alias, before.id.description)
    var restored = joined
    // Its sidecar has the newer mark of the joined record, so the restored one is newer still.
    if current?.isWatched != joined.isWatched { restored.watchedAt = transaction.now }
    transaction.write(restored)
    transaction.joinPosition(of: joined, into: before.id)
  }
}

extension CleaningPlanner {
  /// Plans the joins of records of one episode that match the query.
  ///
  /// - Throws: `WorkEnded.interrupted`, errors of the store.
  func joinSteps() throws -> [CleaningStep] {
    let twins = try EpisodeTwins(in: store.snapshot(), shouldStop: shouldStop)
    if shouldStop() { throw WorkEnded.interrupted }
    let query = order.rules.query
    return twins.pairs.filter { query.matches($0.other) || query.matches($0.kept) }.map { pair in
      var step = CleaningStep(
        .join, of: EpisodeSummary(pair.other),
        explanation: "the same episode as '\(pair.kept.id)' by \(pair.row.phrase)")
      step.name = pair.kept.id.description
      let kept = Set(pair.kept.parts.filter(\.hasFile).map(\.name))
      let freed = pair.other.parts.filter { $0.hasFile && kept.contains($0.name) }
      step.bytes = ByteCount(clamping: freed.compactMap { $0.size?.bytes }.clampedSum())
      return step
    }
  }
}

extension CleanupExecutor {
  /// Joins the record of a step into the older one, if the table of evidence still says so.
  func join(_ step: CleaningStep) throws -> OperationResult {
    guard let id = step.episode, let target = step.name.flatMap({ EpisodeID(valid: $0) }) else {
      throw step.changed("no episode given")
    }
    let claim = try store.claim(target)
    defer { claim.release() }
    try store.claim(id).release()
    let snapshot = try store.snapshot()
    guard let kept = try snapshot.episode(target), kept.id == target else {
      throw step.changed("the record is gone")
    }
    var order = RemovalOptions(.byHand, "joined with '\(target)'", removesRecord: true)
    order.joins = target
    let result = try removal.remove([id], order) { episode in
      guard episode.id == id, step.rev.map({ $0 == episode.rev }) ?? true, episode.isJoinable,
        kept.isJoinable, EpisodeTwins.row(kept, episode) != nil
      else { throw step.changed("the record has changed") }
      for root in Set(episode.parts.compactMap(\.root)) { _ = try mediaRoots.root(root) }
    }.first?.result
    if let failure = result?.failure { throw failure }
    // The next 'vmx clean' writes files that cannot be written now.
    if let joined = try store.snapshot().episode(target) { _ = sidecars.write(joined) }
    return .done
  }
}
