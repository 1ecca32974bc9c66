import Synchronization
package import VmxModel
import VmxSystem

/// The order in which the episodes of a run send their first requests: that of the queue.
///
/// A worker registers each episode when it takes it from the queue, in queue order. Before the
/// first transfer it waits until no earlier episode is registered. An episode leaves the order with
/// its first request, if it waits for a policy, a claim or a host, or if it ends without a request.
package final class StartOrder: Sendable {
  private let waiting = Monitor<[(rank: WorkRank, id: EpisodeID)]>([])
  // A mutex of the function itself would wrap it in two more functions at each access: the state of
  // a mutex is of a generic type, which has another calling convention.
  private let search = Mutex(Search(earlier: { _ in nil }))

  /// Creates an order without episodes.
  package init() {}

  /// The location of an episode that is to start before another one.
  package enum Earlier: Sendable {
    /// A worker has taken it.
    case taken
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
    let rank = waiting.withLock { waiting in waiting.first { $0.id == id }?.rank }
    return rank.flatMap(search.withLock { $0 }.earlier)
  }

  /// Whether an episode before this rank is registered.
  func isExpecting(before rank: WorkRank) -> Bool {
    waiting.withLock { $0.first.map { $0.rank < rank } ?? false }
  }

  /// Registers an episode with its rank.
  func expect(_ id: EpisodeID, _ rank: WorkRank) {
    waiting.withLock { waiting in
      let place = waiting.firstIndex { $0.rank > rank } ?? waiting.endIndex
      waiting.insert((rank, id), at: place)
    }
  }

  /// Lets later episodes start before this one; does nothing if it has left the order.
  package func leave(_ id: EpisodeID) {
    waiting.withLock { waiting in
      if let place = waiting.firstIndex(where: { $0.id == id }) { waiting.remove(at: place) }
    }
  }

  /// Waits until no earlier episode is to start first.
  ///
  /// - Parameter checkStop: called four times a second; an error that it throws ends the wait.
  package func wait(for id: EpisodeID, checkStop: () throws -> Void) rethrows {
    while !waiting.wait(
      milliseconds: 250,
      until: { waiting in
        waiting.first?.id == id || !waiting.contains { $0.id == id }
      })
    {
      try checkStop()
    }
  }
}
