import VmxLibrary
package import VmxModel
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
    guard let kept = try transaction.episode(id), kept.id == id, kept.isJoinable, let before,
      before.id != id
    else {
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
    let twins = try EpisodeTwins(
      in: store.snapshot(), takesLikely: options.joinsLikely, shouldStop: shouldStop)
    if shouldStop() { throw WorkEnded.interrupted }
    let query = options.rules.query
    return twins.pairs.filter { query.matches($0.other) || query.matches($0.kept) }.map { pair in
      let kept = Set(pair.kept.parts.filter(\.hasFile).map(\.name))
      let freed = pair.other.parts.filter { $0.hasFile && kept.contains($0.name) }
      return CleaningStep(
        .join(EpisodeRevision(pair.other.id, rev: pair.other.rev), into: pair.kept.id),
        explanation: "\(pair.row.verdict == .same ? "" : "probably ")the same episode as "
          + "'\(pair.kept.id)' by \(pair.row.phrase)",
        bytes: ByteCount(clamping: freed.compactMap { $0.size?.bytes }.clampedSum()))
    }
  }
}

/// Joins the record of an episode into that of another one; one undo brings both back.
///
/// ```swift
/// let result = try RecordJoin(EpisodeRemover(tools)).join(id, into: target) { kept, other in … }
/// ```
package struct RecordJoin: Sendable {
  private let removal: EpisodeRemover

  /// Creates the operation.
  package init(_ removal: EpisodeRemover) {
    self.removal = removal
  }

  /// Joins a record into that of another episode, whose id is kept; durable on return. Of two files
  /// of one part, that of the joined record goes into the trash.
  ///
  /// - Parameter check: called with the kept record and the other one before any change; an error
  ///   that it throws refuses the join.
  /// - Returns: the kept episode after the join, as far as it can be read.
  /// - Throws: `no-such-episode`, `lock-busy` while another process has claimed one of them, the
  ///   error of the check, errors of the store and the file system.
  package func join(
    _ id: EpisodeID, into target: EpisodeID,
    check: (_ kept: Episode, _ other: Episode) throws -> Void
  ) throws -> Episode? {
    let store = removal.store
    let claim = try store.claim(target)
    defer { claim.release() }
    try store.claim(id).release()
    guard let kept = try store.snapshot().episode(target), kept.id == target else {
      throw Failure.noSuchEpisode(target)
    }
    var options = RemovalOptions(.byHand, "joined with '\(target)'", removesRecord: true)
    options.joins = target
    let result = try removal.remove([id], options) { episode in
      try check(kept, episode)
      for root in Set(episode.parts.compactMap(\.root)) { _ = try removal.mediaRoots.root(root) }
    }.first?.result
    if let failure = result?.failure { throw failure }
    let joined = try store.snapshot().episode(target)
    // The next 'vmx clean' writes files that cannot be written now.
    if let joined { _ = removal.tools.sidecars.write(joined) }
    return joined
  }

  /// Joins two records that the user calls one episode.
  ///
  /// - Parameters:
  ///   - target: the episode whose id, and whose file of two, is kept.
  ///   - isForced: whether records are joined that have different videos, or contradict each other.
  /// - Throws: as `join(_:into:check:)`; `id-taken` if the records may not be joined.
  package func joinByHand(
    _ id: EpisodeID, into target: EpisodeID, isForced: Bool
  ) throws -> Episode? {
    if removal.store.isDryRun {
      let snapshot = try removal.store.snapshot()
      guard let kept = try snapshot.episode(target), let other = try snapshot.episode(id) else {
        throw Failure.noSuchEpisode(id)
      }
      try Self.check(kept, other, isForced: isForced)
      return kept
    }
    return try join(id, into: target) { kept, other in
      guard other.id == id else { throw Failure.noSuchEpisode(id) }
      try Self.check(kept, other, isForced: isForced)
    }
  }

  private static func check(
    _ kept: Episode, _ other: Episode, isForced: Bool
  ) throws(Failure) {
    let names = "'\(other.id)' and '\(kept.id)'"
    for episode in [kept, other] where !episode.isJoinable {
      throw Failure(
        .idTaken, "\(names) are not joined: '\(episode.id)' was removed, or has a licence",
        hint: "choose another id")
    }
    guard !isForced else { return }
    let hint = "'vmx rename --keep \(kept.id) \(other.id) \(kept.id)' joins them all the same"
    if let one = other.readyVideo, let second = kept.readyVideo,
      one.sha256 == nil || one.sha256 != second.sha256
    {
      let digests = [one, second].map { $0.sha256?.hex ?? "unknown" }
      throw Failure(
        .idTaken, "\(names) have different videos: SHA-256 \(digests[0]) and \(digests[1])",
        hint: hint)
    }
    let judgement = EvidenceTable.judge(kept.signs, other.signs)
    if judgement.verdict == .different, let row = judgement.row {
      throw Failure(.idTaken, "\(names) differ by \(row.phrase)", hint: hint)
    }
  }
}

extension CleanupExecutor {
  /// Joins the record of a step into the older one, if the table of evidence still says so.
  func join(
    _ step: CleaningStep, _ other: EpisodeRevision, into target: EpisodeID
  ) throws -> OperationResult {
    _ = try RecordJoin(removal).join(other.id, into: target) { kept, episode in
      guard episode.id == other.id, other.isCurrent(episode), episode.isJoinable,
        kept.isJoinable, EpisodeTwins.row(kept, episode, orLikely: true) != nil
      else { throw step.changed("the record has changed") }
    }
    return .done
  }
}
