import Glibc
import SystemPackage
import Synchronization
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport
import VmxTransfer

/// Every two faults together, in the middle of a fetch: whatever comes must be a whole file, and
/// what passes by itself must not make the fetch fail.
@Suite struct FaultPairsTests {
  /// Each acts on one answer, and the next one is well again. (Stalls wait for a second and more;
  /// they are tried one by one.)
  private static let passing = [
    "cut:150000", "reset:150000", "drop", "drop-reset", "status:503", "status:429", "garbage",
    "no-http", "cut-head:40", "etag-rotate", "etag-none", "etag-weak", "no-validators",
    "modified-now", "swap", "if-range-ignored", "range-ignored", "range-416", "range-shift:-10",
    "range-shift:10", "range-short:50000", "range-total:5", "range-star", "content-range:-",
    "multipart", "chunked", "chunked-open", "chunked-broken:150000", "empty", "page",
    "coding:gzip", "close", "big-head:60000", "hints",
  ]
  /// Each is how a server always is.
  private static let lasting = [
    "etag-rotate", "etag-weak", "no-validators", "range-ignored", "chunked", "if-range-ignored",
  ]

  /// Those that lead to other ways of going on.
  private static let telling = [
    "cut:150000", "garbage", "swap", "range-ignored", "range-416", "range-shift:10", "page",
  ]

  @Test func `a break, then two faults at once`() throws {
    let plans = Self.telling.flatMap { first in
      Self.passing.filter { $0 != first }.map { second in
        ["cut:100000 times 1", "\(first) \(second) after 1 times 1"]
      }
    }
    let faults = try Self.faults(of: plans)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  @Test func `a break, then one fault after the other`() throws {
    let plans = Self.telling.flatMap { first in
      Self.passing.filter { $0 != first }.map { second in
        ["cut:100000 times 1", "\(first) after 1 times 1", "\(second) after 2 times 1"]
      }
    }
    let faults = try Self.faults(of: plans)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  @Test func `a server with a way of its own, a break, then a fault`() throws {
    let plans = Self.lasting.flatMap { way in
      Self.passing.map { [way, "cut:140000 times 1", "\($0) after 1 times 1"] }
    }
    let faults = try Self.faults(of: plans)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  @Test func `a file that is replaced at a break, then a fault`() throws {
    let plans = Self.lasting.flatMap { way in
      Self.passing.map { [way, "cut:140000 times 1", "swap after 1", "\($0) after 1 times 1"] }
    }
    let faults = try Self.faults(of: plans)
    #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
  }

  /// Fetches one film under each plan; what is not as it should be, in words.
  private static func faults(of plans: [[String]]) throws -> [String] {
    let origin = try LoopbackOrigin(
      films: ["a": 300_000, "b": 300_000],
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
    let found = Mutex<[String]>([])
    try Crew.work(8) {
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < plans.count else { return }
        guard let fault = trial.fault(index, plans[index]) else { continue }
        found.withLock { $0.append("\(plans[index]): \(fault)") }
      }
    }
    return found.withLock { $0 }
  }
}

/// What all fetches of one test share.
private struct Trial: Sendable {
  let origin: LoopbackOrigin
  let engine: TransferEngine
  let folder: ScratchFolder
  /// The first and the second version.
  let films: [[UInt8]]

  /// Fetches; what is wrong with the outcome, if anything.
  func fault(_ index: Int, _ plan: [String]) -> String? {
    do {
      let job = TransferJob(
        episode: try EpisodeID("t/\(index)"), partName: "video",
        sources: [TransferSource(url: "\(origin.url)/\(index)")],
        partial: folder.path("\(index).part"), resume: folder.path("\(index).part.json"))
      _ = try engine.run(job, observer: Onlooker())
      let bytes = try folder.bytes("\(index).part")
      let versions = plan.contains { $0.contains("swap") } ? films : [films[0]]
      return versions.contains(bytes) ? nil : "wrong bytes, \(bytes.count) of them"
    } catch {
      return "\(error)"
    }
  }
}

private struct Onlooker: TransferObserver {
  func progressed(held: Int64, total: Int64?, received: Int64) {}
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {}
  func noted(_ text: String) {}
  var stop: StopRequest? { nil }
}

/// Threads that do the same until there is no more to do.
private enum Crew {
  static func work(_ count: Int, _ body: @escaping @Sendable () -> Void) throws {
    let threads = try (0..<count).map { try WorkerThread.start("crew-\($0)", body) }
    for thread in threads { thread.join() }
  }
}
