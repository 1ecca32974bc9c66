import VmxModel
import VmxSystem

/// The place of an item among those of a pool.
struct WorkRank: Sendable, Comparable {
  /// The place in the library's queue when it was submitted; nil for typed items.
  var order: QueueOrder?
  /// The number of the submission.
  let number: Int

  static func < (left: WorkRank, right: WorkRank) -> Bool {
    if let before = left.order, let after = right.order, before != after { return before < after }
    return left.number < right.number
  }

  /// Takes the present place of the episode, if the library's queue decides.
  mutating func update(by episode: Episode) {
    order?.priority = episode.priority
    order?.place = episode.resolvedPlace
  }
}

/// The items of a pool, in the order of the queue or else in which they were submitted.
///
/// An item whose host is not to be asked now goes back with a delay. It keeps its number, so it comes
/// before later items once its time has come. Until then the workers take later items. Where the
/// library's queue decides, its place follows that of its episode.
final class WorkQueue: Sendable {
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
    var returns = 0
    /// The earliest time of the next pass, in milliseconds on the monotonic clock; 0 if a worker
    /// has not looked at it.
    fileprivate var notBefore: Int64 = 0
    /// The time when it first went back, on the same clock; 0 if it never did.
    fileprivate var parkedAt: Int64 = 0
  }

  private struct State {
    var entries: [Entry] = []
    var next = 0
    /// The number of entries that no worker has looked at.
    var fresh = 0
    var isClosed = false
    /// Whether entries are no longer put back.
    var isCancelled = false
    /// The number of workers that wait for an entry.
    var idle = 0
    /// The episodes of the entries that went back.
    var parked: Set<EpisodeID> = []
    /// Incremented whenever an entry goes back.
    var returns: UInt64 = 0

    mutating func insert(_ entry: Entry) {
      let place = entries.lastIndex { $0.rank < entry.rank }
      entries.insert(entry, at: place.map { $0 + 1 } ?? 0)
    }
  }

  /// The time in milliseconds after which an entry that went back no longer holds up the next item.
  private static let betweenItems: Int64 = 100
  /// The number of entries that wait for their hosts; about a kilobyte each with an input row.
  private static let mostParked = 4096

  private let state = Monitor(State())
  private let capacity: Int
  private let starts: StartOrder
  private let delay: @Sendable (String) -> Int64
  private let changes: @Sendable (@Sendable (EpisodeID) -> Bool) -> [Episode]

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - capacity: the number of items that are accepted before a worker is free.
  ///   - starts: the order in which the items are registered that workers take.
  ///   - changes: returns the episodes whose records have changed since the last call, if their ids
  ///     are wanted.
  ///   - delay: returns the milliseconds until a host may be asked.
  init(
    capacity: Int, starts: StartOrder,
    changes: @escaping @Sendable (@Sendable (EpisodeID) -> Bool) -> [Episode] = { _ in [] },
    delay: @escaping @Sendable (String) -> Int64
  ) {
    self.changes = changes
    self.capacity = capacity
    self.starts = starts
    self.delay = delay
  }

  /// Waits until a worker is free; false once the queue is closed.
  ///
  /// While an entry waits that went back less than 0.1 s ago, no further item is wanted: mostly its
  /// host answers at once, and the caller may still reorder what it has not submitted.
  func waitForWorker() -> Bool {
    while true {
      let wait = state.when({ $0.isClosed || $0.fresh < $0.idle }) { state -> Int64? in
        guard !state.isClosed else { return nil }
        let last = state.entries.map(\.parkedAt).max() ?? 0
        return max(0, last + Self.betweenItems - Deadline.nowMilliseconds)
      }
      guard let wait else { return false }
      if wait == 0 || state.wait(milliseconds: wait, until: \.isClosed) { return wait == 0 }
    }
  }

  /// Appends an item, waiting for room; false if the queue is closed, and the item is dropped.
  func submit(_ item: WorkItem) -> Bool {
    state.when({ state in
      state.isClosed || state.fresh < capacity && state.entries.count < Self.mostParked
    }) { state in
      guard !state.isClosed else { return false }
      let rank = WorkRank(order: item.order, number: state.next)
      state.insert(Entry(item: item, rank: rank))
      state.next += 1
      state.fresh += 1
      return true
    }
  }

  /// Puts an entry back at its place for a time in milliseconds; false if the queue was cancelled,
  /// and the entry is dropped.
  func put(back entry: Entry, for milliseconds: Int64) -> Bool {
    var entry = entry
    return state.withLock { state in
      let now = Deadline.nowMilliseconds
      entry.notBefore = max(1, now + milliseconds)
      if entry.parkedAt == 0 { entry.parkedAt = now }
      guard !state.isCancelled else { return false }
      state.insert(entry)
      state.parked.insert(entry.item.id)
      state.returns &+= 1
      return true
    }
  }

  /// Closes the queue: no more items are accepted, those in it are still worked on.
  func close() { state.withLock { $0.isClosed = true } }

  /// Closes the queue and drops the items in it.
  func cancel() {
    state.withLock { state in
      state.isClosed = true
      state.isCancelled = true
      state.entries.removeAll()
      state.parked = []
      state.fresh = 0
    }
  }

  /// Removes and returns the first entry whose time has come, waiting for one; nil once the queue is
  /// closed and empty.
  func take() -> Entry? {
    state.withLock { $0.idle += 1 }
    while true {
      if state.withLock({ !$0.parked.isEmpty }) { look() }
      let step = state.withLock { state -> Step in
        let step = next(&state)
        if case .wait = step { return step }
        state.idle -= 1
        return step
      }
      switch step {
      case .take(let entry): return entry
      case .end: return nil
      case .wait(let milliseconds, let seen):
        _ = state.wait(milliseconds: milliseconds) {
          $0.fresh > 0 || $0.returns != seen || $0.isClosed && $0.entries.isEmpty
        }
      }
    }
  }

  /// Moves the entries that went back to the present places of their episodes.
  private func look() {
    for episode in changes({ [state] id in state.withLock { $0.parked.contains(id) } }) {
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

  /// Returns where an entry is that is to start before this rank; one that waits counts if its time
  /// has come.
  func earlier(than rank: WorkRank) -> StartOrder.Earlier? {
    // Entries are taken and put back under this lock, so none is missed on its way.
    state.withLock { state in
      let now = Deadline.nowMilliseconds
      if starts.isExpecting(before: rank) { return .taken }
      var delays: [String: Int64] = [:]
      let isDue = state.entries.prefix { $0.rank < rank }
        .contains { due($0, now, &delays) <= now }
      return isDue ? .waiting : nil
    }
  }

  /// The time when an entry may be taken. The host is asked anew each time, so that no later entry
  /// goes first once the host may be asked.
  private func due(_ entry: Entry, _ now: Int64, _ delays: inout [String: Int64]) -> Int64 {
    guard entry.notBefore <= now, let host = entry.host else { return entry.notBefore }
    let wait = delays[host] ?? delay(host)
    delays[host] = wait
    return now + wait
  }

  private enum Step {
    case take(Entry)
    case wait(Int64, seen: UInt64)
    case end
  }

  private func next(_ state: inout State) -> Step {
    let now = Deadline.nowMilliseconds
    var soonest = now + 60_000
    var delays: [String: Int64] = [:]
    for index in state.entries.indices {
      let entry = state.entries[index]
      let due = due(entry, now, &delays)
      guard due > now else {
        if entry.notBefore == 0 { state.fresh -= 1 }
        state.entries.remove(at: index)
        state.parked.remove(entry.item.id)
        starts.expect(entry.item.id, entry.rank)
        return .take(entry)
      }
      soonest = min(soonest, due)
    }
    if state.isClosed, state.entries.isEmpty { return .end }
    return .wait(soonest - now, seen: state.returns)
  }
}
