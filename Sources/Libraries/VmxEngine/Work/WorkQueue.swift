package import VmxModel
package import VmxStore
import VmxSystem

/// The position of an item in the order of a pool.
struct WorkRank: Sendable, Comparable {
  /// The place in the library's queue when it was submitted; nil for typed items.
  var order: QueueOrder?
  /// The number of the submission.
  let number: Int

  static func < (left: WorkRank, right: WorkRank) -> Bool {
    if let before = left.order, let after = right.order, before != after { return before < after }
    return left.number < right.number
  }

  /// Updates the place to that of the episode, if the library's queue determines the order.
  mutating func update(by episode: Episode) {
    order?.priority = episode.priority
    order?.place = episode.resolvedPlace
  }
}

/// The items of a pool, in the order of the library's queue, else in the order of submission. They
/// send their first requests in this order too, see `StartTurns`.
///
/// An item whose host may not be contacted yet is put back with a delay. It keeps its number, so it
/// precedes later items once the delay has passed. Until then the workers take later items. If the
/// library's queue determines the order, the item's place follows that of its episode.
package final class WorkQueue: Sendable {
  /// An item that is to be worked on.
  struct Entry: Sendable {
    let item: WorkItem
    var rank: WorkRank
    /// The host of its next transfer, once a worker has looked it up.
    var host: String?
    /// The wait that ended the last pass; nil before the first one.
    var pause: WorkPause?
    /// The number of passes that a refusal of a server ended.
    var refusals = 0
    /// The number of passes that ended because it was not its turn.
    var yieldCount = 0
    /// The earliest time of the next pass, in milliseconds on the monotonic clock; 0 if no worker
    /// has taken the item yet.
    fileprivate var notBefore: Int64 = 0
    /// The time when it was first put back, on the same clock; 0 if it never was.
    fileprivate var requeuedAt: Int64 = 0
  }

  /// The location of an episode that is to start before another one.
  package enum Earlier: Sendable {
    /// A worker has taken it.
    case started
    /// It was put back into the queue, and may be taken now.
    case waiting
  }

  private struct State {
    var entries: [Entry] = []
    /// The episodes that workers have taken and not started yet.
    var turns = StartTurns()
    var next = 0
    /// The number of entries that no worker has taken yet.
    var unstarted = 0
    var isClosed = false
    /// Whether entries are no longer put back.
    var isCancelled = false
    /// The number of workers that wait for an entry.
    var idle = 0
    /// The episodes of the entries that were put back.
    var requeued: Set<EpisodeID> = []
    /// Incremented whenever an entry is put back or the delay of a host may have ended.
    var changeCount: UInt64 = 0

    mutating func insert(_ entry: Entry) {
      let index = entries.lastIndex { $0.rank < entry.rank }
      entries.insert(entry, at: index.map { $0 + 1 } ?? 0)
    }
  }

  /// The maximum number of entries that wait for their hosts; each takes about 1 KB with an input
  /// row.
  private static let maxRequeued = 4096

  private let state = Monitor(State())
  /// The number of items that are accepted before a worker is free.
  let capacity: Int
  private let requeueDelay: Int64
  /// Returns the milliseconds until a request to a host may be sent; `Int64.max` until `wake`.
  let delay: @Sendable (String) -> Int64
  private let changes: @Sendable (@Sendable (EpisodeID) -> Bool) -> [Episode]

  /// Creates the queue of a pool with this number of simultaneous transfers.
  ///
  /// - Parameters:
  ///   - store: the store whose records determine the places of entries that were put back.
  ///   - delay: returns the milliseconds until a request to a host may be sent; `Int64.max` if it
  ///     must wait for a call of `wake`.
  package convenience init(
    of store: LibraryStore, transfers: Int, delay: @escaping @Sendable (String) -> Int64
  ) {
    let watch = RecordWatch(store)
    self.init(
      capacity: 2 * max(1, transfers), changes: { watch.changes(where: $0) }, delay: delay)
  }

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - capacity: the number of items that are accepted before a worker is free.
  ///   - requeueDelay: the time in milliseconds for which an entry that was put back delays the
  ///     next item.
  ///   - changes: returns the episodes whose records have changed since the last call, if their ids
  ///     are wanted.
  ///   - delay: returns the milliseconds until a request to a host may be sent; `Int64.max` if it
  ///     must wait for a call of `wake`.
  init(
    capacity: Int, requeueDelay: Int64 = 100,
    changes: @escaping @Sendable (@Sendable (EpisodeID) -> Bool) -> [Episode] = { _ in [] },
    delay: @escaping @Sendable (String) -> Int64
  ) {
    self.changes = changes
    self.capacity = capacity
    self.requeueDelay = requeueDelay
    self.delay = delay
  }

  /// Waits until a worker is free; false once the queue is closed.
  ///
  /// Enough entries for all idle workers may wait for their hosts. It then requests no further item
  /// for 0.1 s after the last one was put back: its host usually responds soon, and the caller may
  /// still reorder the items that it has not submitted.
  func waitForWorker() -> Bool {
    while true {
      let wait = state.when({ $0.isClosed || $0.unstarted < $0.idle }) { state -> Int64? in
        guard !state.isClosed else { return nil }
        guard state.requeued.count >= state.idle else { return 0 }
        let last = state.entries.map(\.requeuedAt).max() ?? 0
        return max(0, last + requeueDelay - Deadline.nowMilliseconds)
      }
      guard let wait else { return false }
      guard wait > 0 else { return true }
      _ = state.wait(milliseconds: wait) { $0.isClosed || $0.requeued.count < $0.idle }
    }
  }

  /// Appends an item, waiting for room; returns false and drops the item if the queue is closed.
  func submit(_ item: WorkItem) -> Bool {
    state.when({ state in
      state.isClosed || state.unstarted < capacity && state.entries.count < Self.maxRequeued
    }) { state in
      guard !state.isClosed else { return false }
      let rank = WorkRank(order: item.order, number: state.next)
      state.insert(Entry(item: item, rank: rank))
      state.next += 1
      state.unstarted += 1
      return true
    }
  }

  /// Returns an entry to its place for a time in milliseconds; returns false and drops the entry
  /// if the queue was cancelled.
  func requeue(_ entry: Entry, for milliseconds: Int64) -> Bool {
    var entry = entry
    return state.withLock { state in
      let now = Deadline.nowMilliseconds
      entry.notBefore = max(1, now + milliseconds)
      if entry.requeuedAt == 0 { entry.requeuedAt = now }
      guard !state.isCancelled else { return false }
      state.insert(entry)
      state.requeued.insert(entry.item.id)
      state.changeCount &+= 1
      return true
    }
  }

  /// Wakes the workers that wait for an entry, because the delay of a host may have ended.
  package func wake() { state.withLock { $0.changeCount &+= 1 } }

  /// Closes the queue: no more items are accepted, those in it are still processed.
  func close() { state.withLock { $0.isClosed = true } }

  /// Closes the queue and drops the items in it.
  func cancel() {
    state.withLock { state in
      state.isClosed = true
      state.isCancelled = true
      state.entries.removeAll()
      state.requeued = []
      state.unstarted = 0
    }
  }

  /// Removes and returns the first due entry, waiting for one; nil once the queue is closed and
  /// empty.
  func dequeue() -> Entry? {
    state.withLock { $0.idle += 1 }
    while true {
      if state.withLock({ !$0.requeued.isEmpty }) { updateRequeuedRanks() }
      let step = state.withLock { state -> Step in
        let step = next(&state)
        if case .wait = step { return step }
        state.idle -= 1
        return step
      }
      switch step {
      case .run(let entry): return entry
      case .end: return nil
      case .wait(let milliseconds, let seen):
        _ = state.wait(milliseconds: milliseconds) {
          $0.unstarted > 0 || $0.changeCount != seen || $0.isClosed && $0.entries.isEmpty
        }
      }
    }
  }

  /// Moves the entries that were put back to the current places of their episodes.
  private func updateRequeuedRanks() {
    for episode in changes({ [state] id in state.withLock { $0.requeued.contains(id) } }) {
      state.withLock { state in
        guard let index = state.entries.firstIndex(where: { $0.item.id == episode.id }) else {
          return
        }
        var entry = state.entries.remove(at: index)
        entry.rank.update(by: episode)
        state.insert(entry)
      }
    }
  }

  /// Returns the time when an entry may be taken. Queries the delay of its host each time, so that
  /// no later entry starts first once the host may be contacted.
  private func due(_ entry: Entry, at now: Int64, delays: inout [String: Int64]) -> Int64 {
    guard entry.notBefore <= now, let host = entry.host else { return entry.notBefore }
    let wait = delays[host] ?? delay(host)
    delays[host] = wait
    return now.addingClamped(wait)
  }

  private enum Step {
    case run(Entry)
    case wait(Int64, seen: UInt64)
    case end
  }

  private func next(_ state: inout State) -> Step {
    let now = Deadline.nowMilliseconds
    var soonest = now + 60_000
    var delays: [String: Int64] = [:]
    for index in state.entries.indices {
      let entry = state.entries[index]
      let due = due(entry, at: now, delays: &delays)
      guard due > now else {
        if entry.notBefore == 0 { state.unstarted -= 1 }
        state.entries.remove(at: index)
        state.requeued.remove(entry.item.id)
        state.turns.register(entry.item.id, entry.rank)
        return .run(entry)
      }
      soonest = min(soonest, due)
    }
    if state.isClosed, state.entries.isEmpty { return .end }
    return .wait(soonest - now, seen: state.changeCount)
  }
}

// The order of the first requests.
extension WorkQueue {
  /// Waits until no episode that a worker took before this one is to start first; returns at once
  /// if this one has started.
  ///
  /// - Parameters:
  ///   - milliseconds: the interval between two calls of `checkStop`.
  ///   - checkStop: an error that it throws ends the wait.
  package func waitForStart(
    of id: EpisodeID, checkingEvery milliseconds: Int64, checkStop: () throws -> Void
  ) rethrows {
    guard let rank = state.withLock({ $0.turns.rank(of: id) }) else { return }
    while !state.wait(milliseconds: milliseconds, until: { !$0.turns.hasEarlier(than: rank) }) {
      try checkStop()
    }
  }

  /// Returns the location of an episode that is to start before this one; nil if there is none, or
  /// if this one has started. An episode that was put back counts only if it is due.
  package func earlier(than id: EpisodeID) -> Earlier? {
    // Entries are taken and put back under this lock, so none is missed in between.
    state.withLock { state in
      guard let rank = state.turns.rank(of: id) else { return nil }
      if state.turns.hasEarlier(than: rank) { return .started }
      let now = Deadline.nowMilliseconds
      var delays: [String: Int64] = [:]
      let isDue = state.entries.prefix { $0.rank < rank }
        .contains { due($0, at: now, delays: &delays) <= now }
      return isDue ? .waiting : nil
    }
  }

  /// Lets later episodes start before this one; does nothing if it has started.
  package func endTurn(of id: EpisodeID) { state.withLock { $0.turns.unregister(id) } }
}
