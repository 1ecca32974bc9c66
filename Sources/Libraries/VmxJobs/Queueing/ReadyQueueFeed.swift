package import VmxModel
package import VmxStore
import VmxSystem

// What a run takes up by itself, in the order of the queue as it is at that moment: whenever a
// worker is free, the store is looked at for what was asked for, moved, held or dropped meanwhile,
// by whomever. An episode is taken up once; again only if it was queued anew after its end, or was
// waiting for another that has become ready. Those that others have in work come last. While
// something is still in work the run goes on looking, so what is asked for in the meantime is not
// left to the next one.

/// The episodes that are due, for one run.
package final class ReadyQueueFeed: Sendable {
  /// Milliseconds between two looks at the store while there is nothing to take up.
  private static let betweenLooks: Int64 = 500

  private struct Work {
    var running: Set<EpisodeID> = []
    var ended: [EpisodeOutcome] = []
  }

  private let store: LibraryStore
  private let query: EpisodeQuery
  private let waitsForOthers: Bool
  private let isWorkable: @Sendable (Episode) -> Bool
  private let work = Monitor(Work())

  /// A queue of what matches.
  ///
  /// - Parameters:
  ///   - waitsForOthers: whether it stays until what others have in work is done or let go of; else
  ///     those are given at the end, for their workers to say so.
  ///   - isWorkable: whether the run may take an episode up now.
  package init(
    _ store: LibraryStore, _ query: EpisodeQuery, waitsForOthers: Bool,
    isWorkable: @escaping @Sendable (Episode) -> Bool
  ) {
    self.store = store
    self.query = query
    self.waitsForOthers = waitsForOthers
    self.isWorkable = isWorkable
  }

  /// Hands over one episode after the other, each when a worker is free, until no more are wanted,
  /// or nothing is due and nothing in work.
  ///
  /// - Parameter asked: as `WorkItem.isAsked`.
  /// - Throws: what the store throws.
  package func feed(_ submitter: WorkSubmitter, asked: Bool) throws {
    var round = try ReadyQueueCursor(store, query, isWorkable)
    while submitter.waitForWorker() {
      let (running, ended) = work.withLock { work in
        defer { work.ended = [] }
        return (work.running, work.ended)
      }
      try round.look(ended: ended, running: running)
      let isLast = running.isEmpty && !waitsForOthers
      if let id = try round.next(running: running, others: isLast) {
        work.withLock { _ = $0.running.insert(id) }
        guard submitter.submit(WorkItem(id, isAsked: asked)) else { return }
      } else if running.isEmpty, round.isEmpty {
        return
      } else {
        _ = work.wait(milliseconds: Self.betweenLooks) { !$0.ended.isEmpty }
      }
    }
  }

  /// The work on an episode has ended; what was not given by this queue is no concern of it.
  package func ended(_ id: EpisodeID, _ outcome: EpisodeOutcome) {
    work.withLock { work in
      guard work.running.remove(id) != nil else { return }
      work.ended.append(outcome)
    }
  }
}
