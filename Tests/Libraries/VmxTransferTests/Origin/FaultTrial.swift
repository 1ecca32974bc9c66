import Glibc
import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport
import VmxTransfer

/// Fetches one film under each of many fault plans, several at a time.
///
/// Each plan has its own path on one origin; all paths serve the same film and the same second
/// version.
enum FaultTrial {
  /// The outcome of one fetch.
  struct Outcome {
    enum End: Equatable {
      /// All bytes of the first version, or of the second.
      case whole(version: Int)
      /// The fetch reported success, and the bytes are of neither version.
      case wrong(bytes: Int)
      case failed(ErrorCode)
    }

    let plan: [String]
    let end: End
    /// The requests that the origin received, in the order in which its responses ended.
    var requests: [OriginRequest] = []

    /// The outcome as text for a report.
    var words: String { "\(plan): \(end), \(requests.map { $0.status ?? 0 })" }
  }

  /// The size of the film in bytes.
  static let size = 300_000

  /// Fetches under each plan, this many at a time.
  static func outcomes(of plans: [[String]], atOnce threads: Int = 16) throws -> [Outcome] {
    let origin = try LoopbackOrigin(
      films: ["a": size, "b": size],
      rules: plans.enumerated().flatMap { index, faults in faults.map { "/\(index) \($0)" } })
    for index in plans.indices {
      for (link, film) in [("\(index)", "a"), ("\(index)@2", "b")] {
        guard symlink(film, origin.folder.path(link).string) == 0 else {
          throw Errno(rawValue: errno)
        }
      }
    }
    var settings = TransferSettings()
    settings.backoffBase = 1
    let trial = Trial(
      origin: origin, engine: try TransferEngine(settings, clock: SystemClock()),
      folder: try ScratchFolder(), films: [try origin.bytes(of: "a"), try origin.bytes(of: "b")])
    defer { trial.engine.stop() }
    let next = Atomic(0)
    let found = Mutex<[Outcome]>([])
    try WorkerPool.work(threads) {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < plans.count else { return }
        let outcome = Outcome(plan: plans[index], end: trial.end(index))
        found.withLock { $0.append(outcome) }
      }
    }
    let requests = Dictionary(grouping: try origin.requests(), by: \.path)
    return found.withLock { found in
      found.map { outcome in
        var outcome = outcome
        outcome.requests = plans.firstIndex(of: outcome.plan).flatMap { requests["/\($0)"] } ?? []
        return outcome
      }
    }
  }
}

/// The state that all fetches of one trial share.
private struct Trial: Sendable {
  let origin: LoopbackOrigin
  let engine: TransferEngine
  let folder: ScratchFolder
  /// The first and the second version.
  let films: [[UInt8]]

  func end(_ index: Int) -> FaultTrial.Outcome.End {
    do {
      let job = TransferJob(
        episode: try EpisodeID("t/\(index)"), partName: "video",
        sources: [TransferSource(url: "\(origin.url)/\(index)")],
        partial: folder.path("\(index).part"), resume: folder.path("\(index).part.json"))
      _ = try waitingForHosts(attempts: 40) { try engine.run(job, observer: Onlooker()) }
      let bytes = try folder.bytes("\(index).part")
      return films.firstIndex(of: bytes).map { .whole(version: $0) } ?? .wrong(bytes: bytes.count)
    } catch let error as TransferError {
      return .failed(error.code)
    } catch {
      Issue.record(error)
      return .failed(.internalError)
    }
  }
}

private struct Onlooker: TransferObserver {
  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {}
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {}
  func noted(_ text: String) {}
  var stop: StopRequest? { nil }
}

/// Threads that repeat the same work until none is left.
private enum WorkerPool {
  static func work(_ count: Int, _ body: @escaping @Sendable () -> Void) throws {
    let threads = try (0..<count).map { try WorkerThread.start("crew-\($0)", body) }
    for thread in threads { thread.join() }
  }
}
