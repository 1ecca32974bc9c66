package import VmxModel
import VmxSystem

/// An episode that a worker pool is to work on.
package struct WorkItem: Sendable {
  /// The id of the episode.
  package let id: EpisodeID
  /// Whether the user named it, so that failed parts are retried.
  package let isRequested: Bool
  /// Whether the user typed its id, so that a removal by the user is lifted.
  package let isTyped: Bool
  /// The place in the queue; nil for the order of submission.
  package var order: QueueOrder?
  /// The input row, whose unknown fields are passed on.
  package let row: JSONObject?

  /// Creates an item.
  package init(
    _ id: EpisodeID, isRequested: Bool, isTyped: Bool = false, row: JSONObject? = nil
  ) {
    self.id = id
    self.isRequested = isRequested
    self.isTyped = isTyped
    self.row = row
  }
}

/// The interface by which a list submits its episodes to a worker pool.
package struct WorkSubmitter: Sendable {
  /// Waits until a worker is free; returns false once the pool accepts no more items.
  package let waitForWorker: @Sendable () -> Bool
  /// Submits an episode, waiting for room in the queue; returns whether the pool accepts more.
  package let submit: @Sendable (WorkItem) -> Bool

  /// Returns a submitter that calls `isWanted` before each episode.
  package func filtered(_ isWanted: @escaping @Sendable (WorkItem) -> Bool) -> WorkSubmitter {
    WorkSubmitter(waitForWorker: waitForWorker) { isWanted($0) ? submit($0) : false }
  }

  /// Creates a submitter from its two operations.
  package init(
    waitForWorker: @escaping @Sendable () -> Bool, submit: @escaping @Sendable (WorkItem) -> Bool
  ) {
    self.waitForWorker = waitForWorker
    self.submit = submit
  }
}

/// The waits that a run accepts for episodes that servers refuse temporarily.
package struct WorkWaits: Sendable {
  /// The longest wait in milliseconds; an episode with a longer one ends the work as `waiting`.
  package let maxWait: Int64
  /// The number of refusals after which the work on an episode ends.
  package let refusals: Int

  /// The longest wait for a turn, in milliseconds, that is accepted regardless of the limits.
  private static let maxRateDelay: Int64 = 10_000

  /// Creates the limits; the defaults accept no wait.
  package init(maxWait: Int64 = 0, refusals: Int = 1) {
    self.maxWait = maxWait
    self.refusals = refusals
  }

  func accepts(_ pause: WorkPause) -> Bool {
    pause.milliseconds <= (pause.isRefusal ? maxWait : max(maxWait, Self.maxRateDelay))
  }
}

/// Several workers that process one list of episodes.
///
/// There are twice as many workers as transfers allowed at once: while some wait for the disk to
/// flush their bytes, the others use the network. The list is read lazily, as workers become free.
/// An episode whose server requests a delay is put back, and its worker takes another one.
package final class WorkerPool: Sendable {
  private let worker: EpisodeWorker
  private let waits: @Sendable () -> WorkWaits
  private let queue: WorkQueue
  private let results: Channel<(WorkItem, EpisodeResult)>

  /// Creates a pool of threads that all run the given worker.
  ///
  /// - Parameters:
  ///   - queue: the list, which this pool closes; it has no items yet.
  ///   - waits: returns the waits for servers that the run accepts now.
  package init(
    of worker: EpisodeWorker, queue: WorkQueue,
    waits: @escaping @Sendable () -> WorkWaits = { WorkWaits() }
  ) {
    self.worker = worker
    self.waits = waits
    self.queue = queue
    results = Channel(capacity: queue.capacity)
  }

  /// Works until the list ends or `stop` is called; reports on the calling thread.
  ///
  /// - Parameters:
  ///   - feed: submits each item. It runs on its own thread, which may still read its input when
  ///     this call returns after `stop`.
  ///   - report: called with each item and its result, in the order in which they end.
  /// - Throws: errors of `report`, after all workers have ended.
  package func run(
    feed: @escaping @Sendable (WorkSubmitter) -> Void,
    report: (WorkItem, EpisodeResult) throws -> Void
  ) throws {
    _ = try WorkerThread.start("vmx-feed") { [queue] in
      feed(
        WorkSubmitter(waitForWorker: { queue.waitForWorker() }, submit: { queue.submit($0) }))
      queue.close()
    }
    let members = try (0..<queue.capacity).map { _ in
      try WorkerThread.start("vmx-worker") { [self] in
        while let entry = queue.dequeue() {
          if let result = work(on: entry) { results.send((entry.item, result)) }
        }
      }
    }
    _ = try WorkerThread.start("vmx-closer") { [results] in
      for member in members { member.join() }
      results.close()
    }
    var problem: (any Error)?
    while let (item, result) = results.receive() {
      guard problem == nil else { continue }
      do {
        try report(item, result)
      } catch {
        problem = error
        stop()
      }
    }
    if let problem { throw problem }
  }

  /// The number of times that an entry is put back for its turn before a minimum delay applies.
  private static let maxQuickRequeues = 20
  /// The minimum delay of such an entry in milliseconds.
  private static let minRequeueDelay: Int64 = 50

  /// Works on an entry, or puts it back if its host may not be contacted yet.
  ///
  /// - Returns: its result; nil if it was put back.
  private func work(on entry: WorkQueue.Entry) -> EpisodeResult? {
    var entry = entry
    defer { queue.endTurn(of: entry.item.id) }
    if entry.host == nil, let (episode, host) = worker.nextTransfer(of: entry.item.id), let host {
      if queue.delay(host) > 0 {
        entry.host = host
        entry.rank.update(by: episode)
        _ = queue.requeue(entry, for: 0)
        return nil
      }
    }
    let isFirst = entry.pause == nil
    let result = worker.work(
      on: entry.item.id, asked: entry.item.isRequested && isFirst,
      typed: entry.item.isTyped && isFirst, after: entry.pause)
    let waits = waits()
    guard let pause = result.pause, waits.accepts(pause) else { return result }
    if pause.isRefusal { entry.refusals += 1 } else { entry.yieldCount += 1 }
    guard entry.refusals < waits.refusals else { return result }
    if let (episode, host) = worker.nextTransfer(of: entry.item.id) {
      entry.host = host
      entry.rank.update(by: episode)
    }
    entry.pause = pause
    // The host that was looked up may not be the one that caused the wait.
    let least = entry.yieldCount > Self.maxQuickRequeues ? Self.minRequeueDelay : 0
    // A stopped pool waits for nothing more, so the result is final.
    return queue.requeue(entry, for: max(least, pause.milliseconds)) ? nil : result
  }

  /// Accepts no further items; work in progress ends by itself.
  package func stop() {
    queue.cancel()
  }
}
