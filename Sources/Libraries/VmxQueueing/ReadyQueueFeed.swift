package import VmxEngine
package import VmxModel
package import VmxStore
import VmxSystem

// The queue yields due episodes in the current queue order. Whenever a worker is free, it reads the
// store's new lines: other processes may have requested, moved, held or dropped episodes. An
// episode is processed once. It is processed again only if it was queued again after its end, or
// waited for another episode that has become ready. Episodes that other processes are processing
// come last. While this run is still processing an episode it keeps polling, so that new requests
// do not wait for the next run.

/// The episodes that are due, for one run.
package final class ReadyQueueFeed: Sendable {
  /// The interval in milliseconds between two reads of the store while nothing is due.
  private static let pollInterval: Int64 = 500

  private struct Work {
    var running: Set<EpisodeID> = []
    var ended: [EpisodeResult] = []
  }

  private let store: LibraryStore
  private let query: EpisodeQuery
  private let isRequested: Bool
  private let waitsForOthers: Bool
  private let due: @Sendable (Episode) -> WorkAmount?
  private let work = Monitor(Work())

  /// Creates a queue of the matching episodes.
  ///
  /// - Parameters:
  ///   - isRequested: as `WorkItem.isRequested`.
  ///   - waitsForOthers: whether the run waits until other processes release the episodes that they
  ///     are processing. Otherwise those episodes are submitted at the end, and the workers report
  ///     them as busy.
  ///   - due: returns the work on an episode that the run may process now; nil if there is none.
  package init(
    _ store: LibraryStore, _ query: EpisodeQuery, isRequested: Bool = false, waitsForOthers: Bool,
    due: @escaping @Sendable (Episode) -> WorkAmount?
  ) {
    self.store = store
    self.query = query
    self.isRequested = isRequested
    self.waitsForOthers = waitsForOthers
    self.due = due
  }

  /// Creates the queue of a run: the wanted episodes among the matching ones that have a due part.
  ///
  /// - Parameters:
  ///   - asked: whether the user has requested them, so that failed parts are retried.
  ///   - due: returns the rule that decides which parts are due now.
  package convenience init(
    _ store: LibraryStore, matching query: EpisodeQuery, options order: WorkOptions, asked: Bool,
    waitsForOthers: Bool, due: @escaping @Sendable () -> DueRule
  ) {
    var query = query
    if query.wants.isEmpty { query.wants = [.fetch] }
    // Whether work is due is decided for each part: a watchable episode may still lack an image
    // that another run has not fetched yet.
    query.due = nil
    self.init(store, query, isRequested: asked, waitsForOthers: waitsForOthers) { episode in
      order.amount(of: episode, by: due(), asked: asked)
    }
  }

  /// Submits the episodes one by one, each when a worker is free. Ends when the pool accepts no
  /// more, or when nothing is due and no episode is being processed.
  ///
  /// - Parameter begin: called before each episode with its work, and the work that still waits.
  /// - Throws: errors of the store.
  package func submitAll(
    _ submitter: WorkSubmitter,
    _ begin: (EpisodeID, _ amount: WorkAmount, _ pending: WorkAmount) -> Void = { _, _, _ in }
  ) throws {
    var round = try ReadyQueueCursor(store, query: query, due: due)
    while submitter.waitForWorker() {
      let (running, ended) = work.withLock { work in
        defer { work.ended = [] }
        return (work.running, work.ended)
      }
      try round.applyChanges(ended: ended, running: running)
      let isLast = running.isEmpty && !waitsForOthers
      if let id = try round.next(running: running, others: isLast) {
        work.withLock { _ = $0.running.insert(id) }
        var item = WorkItem(id, isRequested: isRequested)
        item.order = round.lastOrder
        begin(id, round.lastAmount, round.pending)
        guard submitter.submit(item) else { return }
      } else if running.isEmpty, round.isEmpty {
        return
      } else {
        _ = work.wait(milliseconds: Self.pollInterval) { !$0.ended.isEmpty }
      }
    }
  }

  /// Records the end of the work on an episode. Episodes that this queue did not submit are
  /// ignored.
  package func ended(_ id: EpisodeID, _ result: EpisodeResult) {
    work.withLock { work in
      guard work.running.remove(id) != nil else { return }
      work.ended.append(result)
    }
  }
}

extension WorkOptions {
  /// Returns the work on the parts of an episode that are due; nil if there is none.
  ///
  /// - Parameter asked: whether the user has requested it, so that failed parts are retried.
  package func amount(of episode: Episode, by rule: DueRule, asked: Bool) -> WorkAmount? {
    guard !episode.isExpired(at: rule.now) else { return nil }
    var amount = WorkAmount.zero
    for part in episode.parts where includes(part) {
      guard asked ? rule.isDueOnRequest(part) : rule.isDue(part) else { continue }
      amount.add(fileOf: part.expectedSize?.bytes)
    }
    return amount == .zero ? nil : amount
  }
}
