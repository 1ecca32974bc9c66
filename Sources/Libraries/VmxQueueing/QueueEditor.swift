package import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore

/// An episode with the result of a request.
package struct QueueChange: Sendable {
  /// The episode as recorded.
  package let episode: Episode
  /// Whether anything had to be changed.
  package let verdict: QueueVerdict
}

/// Applies requests to the queue. It writes them to the store first, so that every process sees
/// them. Then it removes cancelled files and refreshes sidecars, unless another process works on
/// the episode.
package struct QueueEditor: Sendable {
  /// The results for episodes, in the order of their ids.
  package typealias Changes = [Result<QueueChange, Failure>]

  /// The maximum number of episodes changed in one transaction.
  package static let largestBatch = 1000

  let store: LibraryStore
  private let clock: any WallClock
  private let files: CancelledFiles
  private let mediaRoots: MediaRoots

  /// Creates an editor for a library.
  ///
  /// - Parameter digest: reads a whole file and returns its SHA-256.
  package init(
    store: LibraryStore, clock: any WallClock,
    digest: @escaping @Sendable (FilePath) throws -> Digest
  ) {
    self.store = store
    self.clock = clock
    files = CancelledFiles(in: store, digest: digest)
    mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
  }

  /// Changes episodes in their order. A failure for one episode does not stop the others.
  ///
  /// The files of cancelled parts are removed too, unless a worker claims the episode: that worker
  /// sees the cancellation within a second and removes them itself.
  ///
  /// - Parameter isDryRun: whether only to report the effect.
  /// - Returns: the result for each episode, durable.
  /// - Throws: errors of the store; no episode is changed then.
  package func perform(
    _ action: QueueAction, on ids: [EpisodeID], isDryRun: Bool = false
  ) throws -> Changes {
    let now = clock.now
    let changes = try changes(of: ids, isDryRun: isDryRun) { episode, others in
      try action.apply(to: &episode, now: now, among: others)
    }
    guard !isDryRun else { return changes }
    switch action {
    case .cancel: return changes.map { change in change.flatMap(cleared) }
    case .mark:
      for case .success(let change) in changes where change.verdict == .changed {
        try writeSidecar(of: change.episode.id)
      }
      return changes
    default: return changes
    }
  }

  /// Changes episodes in one transaction.
  func changes(
    of ids: [EpisodeID], isDryRun: Bool,
    _ change: (inout Episode, any EpisodeLookup) throws -> QueueVerdict
  ) throws -> Changes {
    if isDryRun {
      let snapshot = try store.snapshot()
      return try ids.map { try Self.change($0, in: snapshot, change) }
    }
    try store.prepare(ids)
    return try store.update(.durable, room: .useReserve) { transaction in
      try ids.map { id in
        try Self.change(id, in: transaction, change).map { change in
          guard change.verdict == .changed else { return change }
          return QueueChange(
            episode: transaction.recorded(change.episode), verdict: change.verdict)
        }
      }
    }
  }

  /// Splits ids into batches that are small enough for one transaction each.
  func inBatches(
    _ ids: [EpisodeID], _ body: ([EpisodeID]) throws -> Changes
  ) throws -> Changes {
    var changes: Changes = []
    for start in stride(from: 0, to: ids.count, by: Self.largestBatch) {
      changes += try body(Array(ids[start...].prefix(Self.largestBatch)))
    }
    return changes
  }

  private static func change(
    _ id: EpisodeID, in episodes: any EpisodeLookup,
    _ change: (inout Episode, any EpisodeLookup) throws -> QueueVerdict
  ) throws -> Result<QueueChange, Failure> {
    guard var episode = try episodes.episode(id) else {
      return .failure(Failure.noSuchEpisode(id))
    }
    do {
      let verdict = try change(&episode, episodes)
      return .success(QueueChange(episode: episode, verdict: verdict))
    } catch let failure as Failure {
      return .failure(failure)
    }
  }

  /// Writes changed marks to the sidecar too. A worker that holds the claim on the episode writes
  /// them itself.
  private func writeSidecar(of id: EpisodeID) throws {
    guard let claim = try store.claims.claim(id) else { return }
    defer { claim.release() }
    if let episode = try store.snapshot().episode(id) { Sidecar.refresh(episode, on: mediaRoots) }
  }

  /// Removes the files of cancelled parts, unless another process holds the claim.
  private func cleared(_ change: QueueChange) -> Result<QueueChange, Failure> {
    guard !change.episode.cancelledParts.isEmpty else { return .success(change) }
    let id = change.episode.id
    do {
      // Another process may have requested it again and begun anew: the record read under the claim
      // tells.
      if let claim = try store.claims.claim(id) {
        defer { claim.release() }
        if let episode = try store.snapshot().episode(id), episode.id == id {
          let left = try files.remove(of: episode)
          return .success(QueueChange(episode: left, verdict: change.verdict))
        }
      }
      return .success(change)
    } catch {
      return .failure(Failure(error))
    }
  }
}
