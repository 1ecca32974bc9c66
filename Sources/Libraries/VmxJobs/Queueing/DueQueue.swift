package import VmxModel
package import VmxStore
import VmxSystem

// What a run takes up by itself, in the order of the queue as it is at that moment: whenever a
// worker is free, the store is looked at for what was asked for, moved, held or dropped meanwhile,
// by whomever. An episode is taken up once; again only if it was queued anew after its end, or was
// waiting for another that has become ready. While something is still in work the run goes on
// looking, so what is asked for in the meantime is not left to the next one.

/// The episodes that are due, for one run.
package final class DueQueue: Sendable {
  /// Milliseconds between two looks at the store while there is nothing to take up.
  private static let betweenLooks: Int64 = 500

  private struct Work {
    var running: Set<EpisodeID> = []
    var ended: [EpisodeOutcome] = []
  }

  private let store: LibraryStore
  private let query: EpisodeQuery
  private let isWorkable: @Sendable (Episode) -> Bool
  private let work = Monitor(Work())

  /// A queue of what matches.
  ///
  /// - Parameter isWorkable: whether the run may take an episode up now.
  package init(
    _ store: LibraryStore, _ query: EpisodeQuery,
    isWorkable: @escaping @Sendable (Episode) -> Bool
  ) {
    self.store = store
    self.query = query
    self.isWorkable = isWorkable
  }

  /// Gives each episode to its argument, until that answers that it wants no more, or nothing is
  /// due and nothing in work.
  ///
  /// - Throws: what the store throws.
  package func feed(_ take: (EpisodeID) -> Bool) throws {
    var round = try DueRound(store, query, isWorkable)
    while true {
      let (running, ended) = work.withLock { work in
        defer { work.ended = [] }
        return (work.running, work.ended)
      }
      try round.look(ended: ended, running: running)
      if let id = try round.next(running: running) {
        work.withLock { _ = $0.running.insert(id) }
        guard take(id) else { return }
      } else if running.isEmpty {
        return
      } else {
        _ = work.wait(milliseconds: Self.betweenLooks) { !$0.ended.isEmpty }
      }
    }
  }

  /// The work on an episode has ended; what was not given by this queue is no concern of it.
  package func ended(_ outcome: EpisodeOutcome) {
    work.withLock { work in
      guard work.running.remove(outcome.id) != nil else { return }
      work.ended.append(outcome)
    }
  }
}

/// What the thread that feeds knows.
private struct DueRound {
  private let store: LibraryStore
  private let query: EpisodeQuery
  private let isWorkable: (Episode) -> Bool
  private let follower: StoreFollower
  private var line = DueLine()
  private var favourites: Set<String> = []
  /// Hashes of the ids that were given.
  private var taken: Set<UInt64> = []
  /// Those that come after others.
  private var predecessors: [EpisodeID: [EpisodeID]] = [:]
  /// Those that ended because another is to be ready first.
  private var heldBack: Set<EpisodeID> = []

  init(
    _ store: LibraryStore, _ query: EpisodeQuery, _ isWorkable: @escaping (Episode) -> Bool
  ) throws {
    self.store = store
    self.query = query
    self.isWorkable = isWorkable
    follower = try StoreFollower(store)
    follower.snapshot.records(of: .favourite) { record in
      favourites.insert(record.id)
      return true
    }
    try follower.snapshot.episodes(matching: query) { episode in
      guard isWorkable(episode) else { return true }
      line.begin(with: episode, isFavourite: favourites.contains(episode.id.show))
      if !episode.after.isEmpty { predecessors[episode.id] = episode.after }
      return true
    }
    line.arrange()
  }

  /// Takes in what has changed.
  mutating func look(ended: [EpisodeOutcome], running: Set<EpisodeID>) throws {
    var changed: [Episode] = []
    var removed: [EpisodeID] = []
    try follower.look { change in
      switch change.content {
      case .episode(let episode): changed.append(episode)
      case .removed:
        if change.kind == .episode, let id = EpisodeID(valid: change.id) { removed.append(id) }
        if change.kind == .favourite { favourites.remove(change.id) }
      case .record: if change.kind == .favourite { favourites.insert(change.id) }
      }
    }
    for id in removed { line.remove(id) }
    for outcome in ended where outcome.episode?.speakingPart?.reason == .after {
      heldBack.insert(outcome.id)
      predecessors[outcome.id] = outcome.episode?.after
    }
    for episode in changed where !running.contains(episode.id) { try heed(episode) }
    // What others changed while it was in work here was passed over then.
    for outcome in ended {
      let rev = outcome.episode?.rev ?? 0
      if let episode = try follower.snapshot.episode(outcome.id), episode.rev > rev {
        try heed(episode)
      }
    }
    let isNews = !changed.isEmpty || !removed.isEmpty || !ended.isEmpty
    if !heldBack.isEmpty, isNews { try release() }
  }

  private mutating func heed(_ episode: Episode) throws {
    predecessors[episode.id] = episode.after.isEmpty ? nil : episode.after
    guard query.matches(episode), isWorkable(episode) else { return line.remove(episode.id) }
    if isTaken(episode.id) {
      // Only where somebody queued it anew; what others have in work is theirs.
      guard episode.isQueuedAnew, try !store.claims.isHeldElsewhere(episode.id) else { return }
    }
    line.put(episode, isFavourite: favourites.contains(episode.id.show))
  }

  /// Lets those stand in line again whose predecessors are ready or given up by now.
  private mutating func release() throws {
    for id in heldBack {
      let isHeld = try (predecessors[id] ?? []).contains { other in
        try follower.snapshot.episode(other)?.holdsOthers ?? false
      }
      guard !isHeld else { continue }
      heldBack.remove(id)
      guard let episode = try follower.snapshot.episode(id), query.matches(episode),
        isWorkable(episode)
      else { continue }
      line.put(episode, isFavourite: favourites.contains(id.show))
    }
  }

  /// Takes the next one out of the line; one that comes after others goes behind them, if there is
  /// anybody else.
  mutating func next(running: Set<EpisodeID>) throws -> EpisodeID? {
    // Taken out for as long as it is asked, since the questions read what stands beside it.
    var line = line
    self.line = DueLine()
    defer { self.line = line }
    let free = try line.next { id in
      guard let others = predecessors[id] else { return true }
      return try !others.contains { try isComing($0, running) }
    }
    let next = free ?? (running.isEmpty ? line.next { _ in true } : nil)
    if let next { taken.insert(StableHash.of(next.description)) }
    return next
  }

  private func isTaken(_ id: EpisodeID) -> Bool {
    taken.contains(StableHash.of(id.description))
  }

  /// Whether this run has an episode in work, or is still to take it up.
  private func isComing(_ id: EpisodeID, _ running: Set<EpisodeID>) throws -> Bool {
    if running.contains(id) { return true }
    guard !isTaken(id), let episode = try follower.snapshot.episode(id) else { return false }
    return query.matches(episode) && isWorkable(episode)
  }
}

extension Episode {
  /// Whether something is to be done that neither failed nor waits.
  fileprivate var isQueuedAnew: Bool {
    want == .fetch && parts.contains { !$0.state.isResting }
  }
}
