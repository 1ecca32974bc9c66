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
      try sidecars.writeMarks(of: changes.filter { $0.result == .done }.map(\.id))
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
    try set(.ageRating, of: show, to: rating.map { .string($0.text) }) { before in
      before?.string == rating?.text
    }
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
    try set(.keepNext, of: show, to: count.map { .integer($0) }) { before in
      before?.integer == count
    }
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
    try set(.meteredOK, of: show, to: isSet ? true : nil) { before in
      (before?.bool ?? false) == isSet
    }
  }

  /// Sets a field of the record of a show, or removes it, with the time. The other fields are kept
  /// as they are, also those that cannot be decoded.
  ///
  /// - Parameter isCurrent: whether the recorded value is the new one.
  /// - Returns: whether anything had to be changed; durable.
  private func set(
    _ field: LibraryShow.Field, of show: String, to value: JSONValue?,
    unless isCurrent: (JSONValue?) -> Bool
  ) throws -> Bool {
    let by = LibraryShow.Field.by.rawValue
    let isChanged = try store.update(.durable, room: .useReserve) { transaction in
      let before = transaction.record(.show, show)?.fields ?? JSONObject()
      guard !isCurrent(before[field.rawValue]) else { return false }
      guard field != .ageRating || store.allowsRatingChanges else {
        throw Failure.ratingProtected(show)
      }
      var origins = FieldOrigins(field: before[by])
      origins.set(show: field, at: transaction.now)
      var fields = before.without([field.rawValue, by])
      fields.append(field.rawValue, value)
      fields.append(by, origins.json)
      transaction.write(StoredRecord(kind: .show, id: show, fields: fields))
      return true
    }
    if isChanged { sidecars.refreshShow(show) }
    return isChanged
  }
}
