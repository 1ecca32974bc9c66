import Synchronization
package import VmxModel
import VmxSystem

/// The order in which the episodes of a run send their first requests: that of the queue.
///
/// A worker registers each episode when it takes it from the queue, in queue order. Before the
/// first transfer it waits until no earlier episode is registered. An episode leaves the order with
/// its first request, if it waits for a policy, a claim or a host, or if it ends without a request.
package final class StartTurns: Sendable {
  /// A registered episode, and whether its turn has come. Each has a monitor of its own, so that a
  /// start wakes only the next episode.
  private struct Entry: Sendable {
    let rank: WorkRank
    let id: EpisodeID
    let canStart = Monitor(false)
  }

  private let entries = Mutex<[Entry]>([])
  // A mutex of the function itself would wrap it in two more functions at each access: the state of
  // a mutex is of a generic type, which has another calling convention.
  private let search = Mutex(Search(earlier: { _ in nil }))

  /// Creates an order without episodes.
  package init() {}

  /// The location of an episode that is to start before another one.
  package enum Earlier: Sendable {
    /// A worker has taken it.
    case started
    /// It was put back into the queue, and may be taken now.
    case waiting
  }

  private struct Search: Sendable {
    let earlier: @Sendable (WorkRank) -> Earlier?
  }

  /// Sets the function that returns the current location of an episode before a rank.
  func setEarlier(_ earlier: @escaping @Sendable (WorkRank) -> Earlier?) {
    search.withLock { $0 = Search(earlier: earlier) }
  }

  /// Returns the location of an episode that is to start before this one; nil if there is none, or
  /// if this one has left the order.
  package func earlier(than id: EpisodeID) -> Earlier? {
    let rank = entries.withLock { entries in entries.first { $0.id == id }?.rank }
    return rank.flatMap(search.withLock { $0 }.earlier)
  }

  /// Whether an episode before this rank is registered.
  func hasEarlier(before rank: WorkRank) -> Bool {
    entries.withLock { $0.first.map { $0.rank < rank } ?? false }
  }

  /// Registers an episode with its rank.
  func register(_ id: EpisodeID, _ rank: WorkRank) {
    entries.withLock { entries in
      let place = entries.firstIndex { $0.rank > rank } ?? entries.endIndex
      entries.insert(Entry(rank: rank, id: id), at: place)
      guard place == 0 else { return }
      entries[0].canStart.withLock { $0 = true }
      if entries.count > 1 { entries[1].canStart.withLock { $0 = false } }
    }
  }

  /// Lets later episodes start before this one; does nothing if it has left the order.
  package func unregister(_ id: EpisodeID) {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
      entries.remove(at: place).canStart.withLock { $0 = true }
      if place == 0 { entries.first?.canStart.withLock { $0 = true } }
    }
  }

  /// Waits until no earlier episode is to start first.
  ///
  /// - Parameter checkStop: called four times a second; an error that it throws ends the wait.
  package func wait(for id: EpisodeID, checkStop: () throws -> Void) rethrows {
    guard let turn = entries.withLock({ $0.first { $0.id == id }?.canStart }) else { return }
    while !turn.wait(milliseconds: 250, until: { $0 }) { try checkStop() }
  }
}
