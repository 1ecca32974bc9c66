package import VmxModel
import VmxSystem

/// An episode that a worker pool is to work on.
package struct WorkItem: Sendable {
  /// Which one.
  package let id: EpisodeID
  /// Whether the person named it, so that what failed is tried again.
  package let isAsked: Bool
  /// The row it came in, whose unknown fields pass on.
  package let row: JSONObject?

  /// An episode to work on.
  package init(_ id: EpisodeID, isAsked: Bool, row: JSONObject? = nil) {
    self.id = id
    self.isAsked = isAsked
    self.row = row
  }
}

/// Where a list hands its episodes over to a worker pool.
package struct WorkSubmitter: Sendable {
  /// Waits until a worker is free; false once nothing more is wanted.
  package let waitForWorker: @Sendable () -> Bool
  /// Hands an episode over, waiting for room; whether more is wanted.
  package let submit: @Sendable (WorkItem) -> Bool

  /// A door that asks a question of its own before each episode.
  package func asking(_ isWanted: @escaping @Sendable (WorkItem) -> Bool) -> WorkSubmitter {
    WorkSubmitter(waitForWorker: waitForWorker) { isWanted($0) ? submit($0) : false }
  }

  /// A door of two answers.
  package init(
    waitForWorker: @escaping @Sendable () -> Bool, submit: @escaping @Sendable (WorkItem) -> Bool
  ) {
    self.waitForWorker = waitForWorker
    self.submit = submit
  }
}

/// Several workers on one list of episodes.
///
/// There are twice as many as may transfer at once: while some wait for their bytes to become
/// durable, the others use the network. The list is read lazily, as workers become free.
package final class WorkerPool: Sendable {
  private let worker: EpisodeWorker
  private let size: Int
  private let list: Channel<WorkItem>
  private let results: Channel<(WorkItem, EpisodeOutcome)>

  /// A worker pool whose members all do what the worker does.
  ///
  /// - Parameter transfers: how many may transfer at once, at least one.
  package init(of worker: EpisodeWorker, transfers: Int) {
    self.worker = worker
    size = 2 * max(1, transfers)
    list = Channel(capacity: size)
    results = Channel(capacity: size)
  }

  /// Works until the list has ended, or `stop` was called; reports on the calling thread.
  ///
  /// - Parameters:
  ///   - feed: hands each item over; runs on a thread of its own, which may still be reading when
  ///     this returns after `stop`.
  ///   - report: gets each item with its outcome, in the order in which they end.
  /// - Throws: what `report` throws, after the workers have let go.
  package func run(
    feed: @escaping @Sendable (WorkSubmitter) -> Void,
    report: (WorkItem, EpisodeOutcome) throws -> Void
  ) throws {
    _ = try WorkerThread.start("vmx-feed") { [list] in
      feed(WorkSubmitter(waitForWorker: { list.waitForReceiver() }, submit: { list.send($0) }))
      list.close()
    }
    let members = try (0..<size).map { _ in
      try WorkerThread.start("vmx-worker") { [list, results, worker] in
        while let item = list.receive() {
          results.send((item, worker.work(on: item.id, asked: item.isAsked)))
        }
      }
    }
    _ = try WorkerThread.start("vmx-closer") { [results] in
      for member in members { member.join() }
      results.close()
    }
    var problem: (any Error)?
    while let (item, outcome) = results.receive() {
      guard problem == nil else { continue }
      do {
        try report(item, outcome)
      } catch {
        problem = error
        stop()
      }
    }
    if let problem { throw problem }
  }

  /// Takes nothing new from the list; what is in work ends by itself.
  package func stop() {
    list.cancel()
  }
}
