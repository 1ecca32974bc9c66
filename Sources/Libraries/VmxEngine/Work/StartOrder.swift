import Synchronization
package import VmxModel
import VmxSystem

/// The order in which the episodes of a run record their start and send their first requests: that
/// of the queue.
///
/// A worker registers each episode when it takes it from the queue, in queue order. It waits for two
/// turns: to record the start, and to send the first request. One episode prepares its request while
/// the next one records its start, so an order of many small files costs the longer of both steps for
/// each file, and not their sum. An episode leaves the order with its first request, if it waits for a
/// policy, a claim or a host, or if it ends without a request.
///
/// ```swift
/// try order.wait(for: id, until: .start) { try checkStop() }
/// // Record the start of the episode.
/// order.recorded(id)
/// try order.wait(for: id, until: .request) { try checkStop() }
/// // Send the request.
/// order.leave(id)
/// ```
package final class StartOrder: Sendable {
  /// A step that the episodes take in queue order.
  package enum Turn {
    /// The record of the start: no earlier episode is still to record its own.
    case start
    /// The first request: no earlier episode is in the order.
    case request
  }

  private struct Entry: Sendable {
    let rank: WorkRank
    let id: EpisodeID
    var isRecorded = false
  }

  private let waiting = Monitor<[Entry]>([])
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
      waiting.insert(Entry(rank: rank, id: id), at: place)
    }
  }

  /// Lets later episodes start before this one; does nothing if it has left the order.
  package func leave(_ id: EpisodeID) {
    waiting.withLock { waiting in
      if let place = waiting.firstIndex(where: { $0.id == id }) { waiting.remove(at: place) }
    }
  }

  /// Lets the later episodes record their start; does nothing if this one has left the order.
  package func recorded(_ id: EpisodeID) {
    waiting.withLock { waiting in
      if let place = waiting.firstIndex(where: { $0.id == id }) { waiting[place].isRecorded = true }
    }
  }

  /// Waits for a turn of an episode; returns at once if it has left the order.
  ///
  /// - Parameter checkStop: called four times a second; an error that it throws ends the wait.
  package func wait(for id: EpisodeID, until turn: Turn, checkStop: () throws -> Void) rethrows {
    while !waiting.wait(
      milliseconds: 250,
      until: { waiting in
        let first = waiting.first { $0.id == id || turn == .request || !$0.isRecorded }
        return first?.id == id || !waiting.contains { $0.id == id }
      })
    {
      try checkStop()
    }
  }
}
