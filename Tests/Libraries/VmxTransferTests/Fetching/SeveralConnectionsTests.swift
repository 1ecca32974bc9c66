import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// Parts fetched over several connections. The file is correct whatever faults the additional ones
/// encounter, and their failures are not failures of the part.
@Suite struct SeveralConnectionsTests {
  /// Settings with which connections are added as soon as a few bytes have arrived.
  private var eager: TransferSettings {
    var settings = quick
    settings.growth = ConnectionScaling.Limits(
      interval: 20, minRemainingTime: 0, minPiece: 128 << 10, minRange: 64 << 10, gain: -100)
    return settings
  }

  private static let size = 1_200_000

  private func served(
    _ rules: String..., size: Int = Self.size
  ) throws -> (origin: TestOrigin, bytes: [UInt8]) {
    let origin = try TestOrigin(["/a.mp4 rate:1500000"] + rules)
    return (origin, try origin.serve("a.mp4", size))
  }

  @Test func `a server that limits each connection gets several`() throws {
    let (origin, bytes) = try served(size: 4_500_000)
    let observer = TestObserver()
    let result = try fetch(origin.job("a.mp4"), eager, observer: observer)
    let hits = try origin.hits(atLeast: 4)
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
    #expect(result.segments.first == sha256(Array(bytes[..<Int(SegmentMap.size)])))
    #expect(hits.filter { $0.range != nil }.count >= 3)
    #expect(hits.allSatisfy { $0.range == nil || $0.ifRange != nil })
    #expect(TestOrigin.maxAtOnce(hits) > 1)
    #expect(observer.last.held == 4_500_000)
    #expect(observer.retries.isEmpty)
  }

  @Test func `a fast part uses one connection`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", Self.size)
    #expect(try fetch(origin.job("a.mp4"), quick).requests == 1)
  }

  @Test(arguments: ["etag-weak", "no-validators", "chunked", "accept-ranges:none"])
  func `without the required conditions one connection is used`(_ way: String) throws {
    let (origin, bytes) = try served("/a.mp4 \(way)", size: 400_000)
    #expect(try fetch(origin.job("a.mp4"), eager).requests == 1)
    #expect(try origin.partial() == bytes)
  }

  @Test func `a refused connection costs nothing and is not requested again`() throws {
    let statuses = ["503", "429", "403", "0"]
    for outcome in try outcomes(
      of: statuses.map { "connections:1:\($0)" }, size: Self.size, requests: 2)
    {
      let refusals = outcome.hits.filter { ![200, 206].contains($0.status) }
      #expect(outcome.failure == nil, "\(outcome.fault)")
      #expect(outcome.isRight, "\(outcome.fault)")
      #expect(outcome.retries == 0, "\(outcome.fault)")
      #expect(refusals.count == 1, "\(outcome.fault)")
    }
  }

  @Test func `a host that refused a connection gets one for the next part too`() throws {
    let (origin, _) = try served("* connections:1:429", "/b.mp4 rate:1500000")
    let second = try origin.serve("b.mp4", 1_000_000, seed: 2)
    let engine = try TransferEngine(eager, clock: SystemClock())
    defer { engine.stop() }
    _ = try engine.run(origin.job("a.mp4"), observer: TestObserver())
    var job = try origin.job("b.mp4")
    job.partial = origin.scratch.path("partial/b.part")
    job.resume = origin.scratch.path("partial/b.part.json")
    #expect(try engine.fetch(job, observer: TestObserver()).requests == 1)
    #expect(try origin.scratch.bytes("partial/b.part") == second)
  }

  private static let faults = [
    "range-shift:1000", "range-shift:-1000", "range-short:5000", "range-ignored", "range-416",
    "multipart", "range-total:10", "content-range:-", "content-range:bytes%200-1/2", "reset:50000",
    "cut:50000", "drop", "drop-reset", "garbage", "no-http", "cut-head:30", "coding:gzip", "page",
    "empty", "status:404", "status:500", "range-star", "chunked", "etag-weak", "no-validators",
    "etag-rotate", "if-range-ignored", "redirect:302:file:///etc/passwd", "loop",
    "redirect:302:/other", "hang",
  ]

  @Test func `an additional connection that fails costs nothing`() throws {
    for outcome in try outcomes(of: Self.faults.map { "\($0) on range times 1" }, size: 1_000_000) {
      #expect(outcome.failure == nil, "\(outcome.fault)")
      #expect(outcome.isRight, "\(outcome.fault)")
      #expect(outcome.retries <= 1, "\(outcome.fault)")
    }
  }

  /// The outcome of a fetch during which additional connections encountered a fault.
  private struct Outcome {
    let fault: String
    let failure: ErrorCode?
    /// Whether bytes and digest are those of the file.
    let isRight: Bool
    let retries: Int
    var hits: [TestOrigin.Hit] = []
  }

  /// Fetches under each fault, all at the same time, since each waits for a server that limits the
  /// rate.
  private func outcomes(
    of faults: [String], size: Int, requests: Int = 1
  ) throws -> [Outcome] {
    let origin = try TestOrigin(
      faults.indices.flatMap { ["/\($0) rate:1500000", "/\($0) \(faults[$0])"] })
    let bytes = try origin.serve("0", size)
    for index in faults.indices.dropFirst() { try origin.serve("\(index)", bytes) }
    try origin.serve("other", size, seed: 2)
    let settings = eager
    let outcomes = WorkerThread.map(
      Array(faults.indices), threads: faults.count, named: "vmx-test"
    ) { index in
      let observer = TestObserver()
      var code: ErrorCode?
      var digest: Digest?
      do {
        var job = try origin.job("\(index)")
        job.partial = origin.scratch.path("partial/\(index).part")
        job.resume = origin.scratch.path("partial/\(index).part.json")
        digest = try fetch(job, settings, observer: observer).sha256
      } catch {
        code = Failure(error).code
      }
      let found = try? origin.scratch.bytes("partial/\(index).part")
      return Outcome(
        fault: faults[index], failure: code, isRight: found == bytes && digest == sha256(bytes),
        retries: observer.retries.count)
    }
    let hits = try origin.hits(atLeast: requests * faults.count)
    return zip(faults.indices, outcomes).map { index, outcome in
      var outcome = outcome
      outcome.hits = hits.filter { $0.path == "/\(index)" }
      return outcome
    }
  }

  @Test func `bytes with a wrong digest are fetched again over one connection`() throws {
    let (origin, _) = try served("/a.mp4 flip:900000")
    var job = try origin.job("a.mp4")
    job.expectedDigest = sha256([])
    #expect(try failure(job, eager) == .digestMismatch)
    let hits = try origin.hits(atLeast: 3)
    #expect(hits.contains { $0.range != nil })
    #expect(hits.count { $0.range == nil } == 2)
    #expect(hits.last?.range == nil)
  }

  // Regression: a range of a trickling connection was halved down to 2 MiB and then waited for.
  @Test(arguments: [
    "rate:3072 on range times 1", "rate:3072 on range", "rate:3072:200000 on range times 1",
    "rate:3072:300000 on whole", "stall:1000 on range times 1", "stall:300000 on whole",
  ])
  func `a slow connection does not delay the others`(_ fault: String) throws {
    let (origin, bytes) = try served("/a.mp4 \(fault)", size: 4_500_000)
    var settings = eager
    settings.growth.window = 200
    let observer = TestObserver()
    let result = try fetch(origin.job("a.mp4"), settings, observer: observer)
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
    #expect(observer.retries.isEmpty)
    // The connection received the bytes at full speed and those of a few more seconds, not its
    // whole range.
    let slow = try origin.hits(atLeast: 2).filter { $0.faults.contains(fault.words[0]) }
    #expect(!slow.isEmpty)
    for hit in slow { #expect(hit.sent < 300_000 + 40_000 && hit.took < 30_000) }
    if fault.hasSuffix("on range") { #expect(slow.count <= 6) }
  }

  // Both versions are acceptable, a mixture never is.
  @Test func `a file replaced during the transfer is of one version`() throws {
    let (origin, bytes) = try served("/a.mp4 swap after 2")
    let second = try origin.serve("a.mp4@2", Self.size, seed: 2)
    let observer = TestObserver()
    try fetch(origin.job("a.mp4"), eager, observer: observer)
    let got = try origin.partial()
    #expect(got == bytes || got == second)
  }

  @Test(arguments: [1, 2, 3])
  func `replaced, and the first connection cut: all is of one version`(_ after: Int) throws {
    let (origin, old) = try served("/a.mp4 cut:400000 times 1", "/a.mp4 swap after \(after)")
    let new = try origin.serve("a.mp4@2", Self.size, seed: 2)
    let result = try fetch(origin.job("a.mp4"), eager)
    // Two requests may receive the whole old file before a new version exists.
    let isOld = try origin.partial() == old
    #expect(try isOld || origin.partial() == new)
    #expect(result.sha256 == sha256(isOld ? old : new))
    #expect(!isOld || after > 1)
  }

  @Test(arguments: [100_000, 200_000, 400_000])
  func `every connection is cut, and the file is correct`(_ bytes: Int) throws {
    let (origin, whole) = try served("/a.mp4 cut:\(bytes)")
    let result = try fetch(origin.job("a.mp4"), eager)
    #expect(try origin.partial() == whole)
    #expect(result.sha256 == sha256(whole))
  }

  @Test func `several gaps are filled over several connections again`() throws {
    let (origin, bytes) = try served("/a.mp4 rate:400000")
    let job = try origin.job("a.mp4")
    #expect(try failure(job, eager, observer: TestObserver(stoppingAt: 300_000)) == .interrupted)
    let held = try #require(try ResumeData.load(job.resume)).completedRanges
    #expect(held.ranges.count > 1)
    let before = try origin.hits().count
    let result = try fetch(job, eager)
    // The origin logs the interrupted requests of the first run late, among them its full response.
    let hits = try origin.hits(atLeast: before + 2)[before...].filter { $0.range != nil }
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
    #expect(hits.allSatisfy { $0.status == 206 && $0.ifRange != nil })
    #expect(TestOrigin.maxAtOnce(hits) > 1)
  }
}

extension TestOrigin {
  /// Returns the maximum number of simultaneous responses.
  static func maxAtOnce(_ hits: [Hit]) -> Int {
    hits.map { hit in
      hits.filter {
        $0.milliseconds <= hit.milliseconds && hit.milliseconds < $0.milliseconds + $0.took
      }.count
    }.max() ?? 0
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
