package import VmxModel
import VmxSystem

/// An episode that a worker pool shall work on.
package struct WorkItem: Sendable {
  /// The id of the episode.
  package let id: EpisodeID
  /// Whether the user named it, so that failed parts are retried.
  package let isAsked: Bool
  /// Whether the user typed its id, so that a removal by hand is lifted.
  package let isTyped: Bool
  /// The input row, whose unknown fields are passed on.
  package let row: JSONObject?

  /// Creates an item.
  package init(
    _ id: EpisodeID, isAsked: Bool, isTyped: Bool = false, row: JSONObject? = nil
  ) {
    self.id = id
    self.isAsked = isAsked
    self.isTyped = isTyped
    self.row = row
  }
}

/// The interface by which a list submits its episodes to a worker pool.
package struct WorkSubmitter: Sendable {
  /// Waits until a worker is free; returns false once the pool accepts no more.
  package let waitForWorker: @Sendable () -> Bool
  /// Submits an episode, waiting for room in the queue; returns whether the pool accepts more.
  package let submit: @Sendable (WorkItem) -> Bool

  /// Returns a submitter that calls `isWanted` before each episode.
  package func asking(_ isWanted: @escaping @Sendable (WorkItem) -> Bool) -> WorkSubmitter {
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

/// Several workers that process one list of episodes.
///
/// There are twice as many workers as transfers allowed at once: while some wait for the disk to
/// flush their bytes, the others use the network. The list is read lazily, as workers become free.
package final class WorkerPool: Sendable {
  private let worker: EpisodeWorker
  private let size: Int
  private let list: Channel<WorkItem>
  private let results: Channel<(WorkItem, EpisodeResult)>

  /// Creates a pool of threads that all run the given worker.
  ///
  /// - Parameter transfers: the maximum number of simultaneous transfers, at least one.
  package init(of worker: EpisodeWorker, transfers: Int) {
    self.worker = worker
    size = 2 * max(1, transfers)
    list = Channel(capacity: size)
    results = Channel(capacity: size)
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
    _ = try WorkerThread.start("vmx-feed") { [list] in
      feed(WorkSubmitter(waitForWorker: { list.waitForReceiver() }, submit: { list.send($0) }))
      list.close()
    }
    let members = try (0..<size).map { _ in
      try WorkerThread.start("vmx-worker") { [list, results, worker] in
        while let item = list.receive() {
          let result = worker.work(on: item.id, asked: item.isAsked, typed: item.isTyped)
          results.send((item, result))
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

  /// Accepts no further items; work in progress ends by itself.
  package func stop() {
    list.cancel()
  }
}
