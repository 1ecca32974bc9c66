import VmxEngine
import VmxModel
import VmxStore
import VmxSystem

/// The queue as known to one run while it feeds its workers.
struct ReadyQueueCursor {
  private static let countInterval: Int64 = 1000

  private let store: LibraryStore
  private let query: EpisodeQuery
  private let due: (Episode) -> WorkAmount?
  private let follower: StoreFollower
  private var line = ReadyQueue()
  private var favourites: Set<String>
  /// Hashes of the ids that were submitted.
  private var submitted: Set<UInt64> = []
  /// The predecessors of each episode that has any.
  private var predecessors: [EpisodeID: [EpisodeID]] = [:]
  /// The last sequence number of each episode that this run is processing.
  private var latest: [EpisodeID: Int64] = [:]
  /// Episodes whose work ended because another episode must be ready first.
  private var waitingForOthers: Set<EpisodeID> = []
  /// The work on all episodes of the queue.
  private(set) var pending = WorkAmount.zero
  /// The time at which changes by other processes are counted again.
  private var nextCount = Deadline(milliseconds: 0)
  private var hasChanged = false

  init(
    _ store: LibraryStore, query: EpisodeQuery, due: @escaping (Episode) -> WorkAmount?
  ) throws {
    self.store = store
    self.query = query
    self.due = due
    follower = try StoreFollower(store)
    favourites = follower.snapshot.favouriteShows
    try follower.snapshot.episodes(matching: query) { episode in
      guard let amount = due(episode) else { return true }
      line.begin(with: episode, amount, isFavourite: favourites.contains(episode.id.show))
      if !episode.after.isEmpty { predecessors[episode.id] = episode.after }
      return true
    }
    line.arrange()
    pending = line.amount
  }

  /// Applies the changes since the last call.
  ///
  /// - Parameters:
  ///   - ended: the results since the last call.
  ///   - running: the episodes that this run is processing.
  mutating func applyChanges(ended: [EpisodeResult], running: Set<EpisodeID>) throws {
    let own = running.union(ended.map(\.id))
    var changed: [Episode] = []
    var isNews = !ended.isEmpty
    try follower.forEachChange { kind, text, seq in
      guard kind == .episode else { return kind == .favourite }
      guard let id = EpisodeID(valid: text), own.contains(id) else { return true }
      // These are mostly transitions by this run. `close` detects a line of another process when
      // the work has ended.
      latest[id] = seq
      return false
    } _: { change in
      isNews = true
      switch change.content {
      case .episode(let episode): changed.append(episode)
      case .record: favourites.insert(change.id)
      case .removed where change.kind == .favourite: favourites.remove(change.id)
      case .removed: if let id = EpisodeID(valid: change.id) { line.remove(id) }
      }
    }
    for episode in changed { try apply(episode) }
    for result in ended { try close(result) }
    if !waitingForOthers.isEmpty, isNews { try release() }
    if isNews { hasChanged = true }
    // Counting a million episodes takes some milliseconds, and changes may arrive continuously.
    if hasChanged, nextCount.isPast {
      pending = line.amount
      hasChanged = false
      nextCount = Deadline(milliseconds: Self.countInterval)
    }
  }

  /// The sort key of the episode that `next` returned last.
  var lastOrder: QueueOrder? { line.lastOrder }

  /// The work on the episode that `next` returned last.
  var lastAmount: WorkAmount { line.lastAmount }

  /// Whether the queue is empty.
  var isEmpty: Bool { line.isEmpty }

  private mutating func close(_ result: EpisodeResult) throws {
    let seq = latest.removeValue(forKey: result.id) ?? 0
    // An episode that could not even be read is not retried within the run.
    guard let known = result.episode else { return }
    if known.decisivePart?.reason == .after {
      waitingForOthers.insert(known.id)
      predecessors[known.id] = known.after
    }
    guard seq > known.rev, let episode = try follower.snapshot.episode(known.id) else { return }
    try apply(episode)
  }

  private mutating func apply(_ episode: Episode) throws {
    predecessors[episode.id] = episode.after.isEmpty ? nil : episode.after
    let amount = query.matches(episode) ? due(episode) : nil
    if isSubmitted(episode.id) {
      // It is processed again only if it was queued again. Episodes that other processes are
      // processing are left to them.
      let isAnew = try amount != nil && episode.isRequeued && !isClaimedElsewhere(episode.id)
      if !isAnew { return line.withdraw(episode.id) }
    }
    guard let amount else { return line.remove(episode.id) }
    line.enqueue(episode, amount, isFavourite: favourites.contains(episode.id.show))
  }

  /// Queues episodes again whose predecessors are now ready or no longer wanted.
  private mutating func release() throws {
    for id in waitingForOthers {
      guard follower.snapshot.predecessor(among: predecessors[id] ?? []) == nil else { continue }
      waitingForOthers.remove(id)
      guard let episode = try follower.snapshot.episode(id), query.matches(episode),
        let amount = due(episode)
      else { continue }
      line.enqueue(episode, amount, isFavourite: favourites.contains(id.show))
    }
  }

  /// Removes and returns the next episode. Episodes with predecessors follow these, as long as
  /// another episode is due.
  ///
  /// - Parameter others: whether to include episodes that other processes are processing.
  mutating func next(running: Set<EpisodeID>, others: Bool) throws -> EpisodeID? {
    // Moved out of `self`, since the closures below read `self` while the queue is mutated.
    var line = ReadyQueue()
    swap(&line, &self.line)
    defer { swap(&line, &self.line) }
    var next = try line.next { try !isClaimedElsewhere($0) && !waitsForRunning($0, running) }
    if next == nil, running.isEmpty {
      next = try line.next { try others || !isClaimedElsewhere($0) }
    }
    if let next {
      submitted.insert(StableHash.of(next.description))
      pending -= line.lastAmount
    }
    return next
  }

  private func waitsForRunning(_ id: EpisodeID, _ running: Set<EpisodeID>) throws -> Bool {
    try predecessors[id]?.contains { try willProcess($0, running) } ?? false
  }

  private func isClaimedElsewhere(_ id: EpisodeID) throws -> Bool {
    try store.claims.isHeldElsewhere(id)
  }

  private func isSubmitted(_ id: EpisodeID) -> Bool {
    submitted.contains(StableHash.of(id.description))
  }

  /// Whether this run is processing an episode, or will process it.
  private func willProcess(_ id: EpisodeID, _ running: Set<EpisodeID>) throws -> Bool {
    if running.contains(id) { return true }
    guard !isSubmitted(id), let episode = try follower.snapshot.episode(id) else { return false }
    return query.matches(episode) && due(episode) != nil
  }
}

extension Episode {
  /// Whether a part needs work that neither failed nor waits.
  fileprivate var isRequeued: Bool {
    want == .fetch && parts.contains { !$0.state.awaitsEvent }
  }
}
