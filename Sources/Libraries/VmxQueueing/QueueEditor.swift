import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

/// Applies requests to the queue. It writes them to the store first, so that every process sees
/// them. Then it removes cancelled files and refreshes sidecars, unless another process works on
/// the episode.
package struct QueueEditor: Sendable {
  /// The maximum number of episodes changed in one transaction.
  package static let maxBatchSize = 1000

  let store: LibraryStore
  private let clock: any WallClock
  private let files: CancelledFiles
  /// The writer of the sidecars and NFO files of changed episodes.
  package let sidecars: SidecarWriter

  /// Creates an editor for a library with its files.
  package init(_ tools: LibraryTools) {
    store = tools.store
    clock = tools.clock
    sidecars = tools.sidecars
    files = CancelledFiles(in: store, digest: tools.digest)
  }

  /// Changes episodes in order. A failure for one episode does not stop the others.
  ///
  /// The files of cancelled parts are removed too, unless a worker claims the episode: that worker
  /// sees the cancellation within a second and removes them itself.
  ///
  /// - Parameters:
  ///   - moment: the time to record for the change; nil for the current time.
  /// - Returns: the result for each episode, durable.
  /// - Throws: errors of the store; no episode is changed then.
  package func perform(
    _ action: QueueAction, on ids: [EpisodeID], at moment: Timestamp? = nil
  ) throws -> [EpisodeResult] {
    let now = moment ?? clock.now
    let changes = try changes(of: ids) { episode, others in
      if case .rate(let rating) = action, rating != episode.ageRating, !store.allowsRatingChanges {
        throw Failure.ratingProtected(episode.id.description)
      }
      return try action.apply(to: &episode, now: now, among: others)
    }
    guard !store.isDryRun else { return changes }
    switch action {
    case .cancel: return changes.map(cleared)
    case .mark:
      for change in changes where change.result == .done {
        try sidecars.writeMarks(of: change.id)
      }
      return changes
    case .rate:
      for change in changes where change.result == .done {
        try sidecars.refresh(change.id, withNFO: sidecars.writesNFO)
      }
      return changes
    case .add, .drop:
      for change in changes where change.result == .done {
        if let episode = change.episode { sidecars.refreshRequest(of: episode) }
      }
      return changes
    default: return changes
    }
  }

  /// Changes episodes in one transaction.
  func changes(
    of ids: [EpisodeID],
    _ change: (inout Episode, any EpisodeLookup) throws -> OperationResult
  ) throws -> [EpisodeResult] {
    try store.prepare(ids)
    return try store.update(.durable, room: .useReserve) { transaction in
      try ids.map { id in
        let change = try Self.change(id, in: transaction, change)
        guard !store.isDryRun, change.result == .done, var episode = change.episode else {
          return change
        }
        transaction.withdrawRemoval(of: &episode)
        return EpisodeResult(
          episode.id, .done, episode: transaction.recorded(episode), notes: change.notes)
      }
    }
  }

  /// Splits ids into batches that are small enough for one transaction each.
  func inBatches(
    _ ids: [EpisodeID], _ body: ([EpisodeID]) throws -> [EpisodeResult]
  ) throws -> [EpisodeResult] {
    var changes: [EpisodeResult] = []
    for start in stride(from: 0, to: ids.count, by: Self.maxBatchSize) {
      changes += try body(Array(ids[start...].prefix(Self.maxBatchSize)))
    }
    return changes
  }

  private static func change(
    _ id: EpisodeID, in episodes: any EpisodeLookup,
    _ change: (inout Episode, any EpisodeLookup) throws -> OperationResult
  ) throws -> EpisodeResult {
    guard var episode = try episodes.episode(id) else {
      return EpisodeResult(id, .failed(Failure.noSuchEpisode(id)))
    }
    do {
      let before = episode
      let result = try change(&episode, episodes)
      let note = episode.want == .fetch ? before.liftedRemovalNote : nil
      return EpisodeResult(episode.id, result, episode: episode, notes: note.map { [$0] } ?? [])
    } catch let failure as Failure {
      return EpisodeResult(id, OperationResult(failure))
    }
  }

  /// Removes the files of cancelled parts, unless another process holds the claim.
  private func cleared(_ change: EpisodeResult) -> EpisodeResult {
    guard let id = change.episode?.id, change.episode?.cancelledParts.isEmpty == false else {
      return change
    }
    do {
      // Another process may have requested the episode again and restarted it. The record is
      // therefore read under the claim.
      if let claim = try store.claims.claim(id) {
        defer { claim.release() }
        if let episode = try store.snapshot().episode(id), episode.id == id {
          return EpisodeResult(try files.remove(of: episode), change.result)
        }
      }
      return change
    } catch {
      return EpisodeResult(id, OperationResult(Failure(error)))
    }
  }
}

extension QueueEditor {
  /// Sets the age rating of a show, which applies to all its episodes without their own, future
  /// ones included; nil removes it.
  ///
  /// - Parameters:
  ///   - show: the slug of the show.
  /// - Returns: whether anything had to be changed; durable.
  /// - Throws: `parental` while parental control applies; errors of the store.
  package func rate(
    show: String, _ rating: AgeRating?
  ) throws -> Bool {
    let key = LibraryShow.Field.ageRating.rawValue
    func change(_ transaction: inout StoreTransaction) throws -> Bool {
      let before = transaction.record(.show, show)?.fields
      guard before?[key]?.string != rating?.text else { return false }
      guard store.allowsRatingChanges else { throw Failure.ratingProtected(show) }
      var fields = (before ?? JSONObject()).without([key])
      if let rating { fields.append(key, rating.text) }
      transaction.write(StoredRecord(kind: .show, id: show, fields: fields))
      return true
    }
    return try store.update(.durable, room: .useReserve, change)
  }

  /// Sets the number of unwatched episodes of a show to keep, while `vmx clean` removes the watched
  /// ones; nil removes that rule.
  ///
  /// - Parameters:
  ///   - show: the slug of the show.
  /// - Returns: whether anything had to be changed; durable.
  /// - Throws: errors of the store.
  package func keepNext(
    _ count: Int64?, of show: String
  ) throws -> Bool {
    let key = LibraryShow.Field.keepNext.rawValue
    func change(_ transaction: inout StoreTransaction) throws -> Bool {
      let before = transaction.record(.show, show)?.fields
      guard before?[key]?.integer != count else { return false }
      var fields = (before ?? JSONObject()).without([key])
      fields.append(key, count.map { .integer($0) })
      transaction.write(StoredRecord(kind: .show, id: show, fields: fields))
      return true
    }
    return try store.update(.durable, room: .useReserve, change)
  }

  /// Allows or forbids a metered network for all episodes of a show, future ones included.
  ///
  /// - Parameters:
  ///   - show: the slug of the show.
  /// - Returns: whether anything had to be changed; durable.
  /// - Throws: errors of the store.
  package func mark(
    show: String, meteredOK isSet: Bool
  ) throws -> Bool {
    let key = "metered_ok"
    let before = try store.snapshot().record(.show, show)
    if (before?.fields[key]?.bool ?? false) == isSet { return false }
    try store.update(.durable, room: .useReserve) { transaction in
      var fields = transaction.record(.show, show)?.fields.without([key]) ?? JSONObject()
      if isSet { fields.append(key, true) }
      transaction.write(StoredRecord(kind: .show, id: show, fields: fields))
    }
    return true
  }
}
