import Synchronization
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// Runs that end before the file is complete, and how the next run continues.
@Suite struct InterruptedFetchTests {
  private let size = 3_000_000

  /// The number of held bytes that are fetched again for a comparison.
  private let compared = SourceFetch.comparedBytes

  /// Returns an origin and a job whose file is partially held after a first, interrupted run.
  private func begun(
    _ rules: String..., size: Int = 3_000_000, at limit: Int64 = 1_000_000
  ) throws -> (origin: TestOrigin, bytes: [UInt8]) {
    let origin = try TestOrigin(rules + ["/a.mp4 stall:\(limit) times 1"])
    let bytes = try origin.serve("a.mp4", size)
    #expect(
      try failure(origin.job("a.mp4"), observer: TestObserver(stoppingAt: limit)) == .interrupted)
    return (origin, bytes)
  }

  @Test func `an interrupted run continues where it ended`() throws {
    let (origin, bytes) = try begun()
    let held = try #require(try ResumeData.load(origin.job("a.mp4").resume)).completedRanges.count
    let result = try fetch(origin.job("a.mp4"))
    let hit = try #require(try origin.hits(atLeast: 2).last)
    #expect(try origin.partial() == bytes)
    #expect(hit.range == "bytes=\(held - compared)-")
    #expect(hit.ifRange?.hasPrefix("\"") == true)
    #expect(result.sha256 == sha256(bytes))
    #expect(result.requests == 1)
  }

  @Test func `the held bytes are known without reading the file`() throws {
    let (origin, _) = try begun()
    let job = try origin.job("a.mp4")
    func held(_ part: String, _ urls: [String]) throws -> Int64 {
      try ResumeData.completedBytes(
        partial: job.partial, resume: job.resume, episode: job.episode, part: part, urls: urls)
    }
    let urls = job.sources.map(\.url)
    #expect(try held("video", urls) >= 1_000_000)
    #expect(try held("video", ["http://127.0.0.1:9/other.mp4"] + urls) >= 1_000_000)
    #expect(try held("image", urls) == 0)
    #expect(try held("video", ["http://127.0.0.1:9/other.mp4"]) == 0)
  }

  @Test func `bytes of another file are not continued, however similar`() throws {
    let origin = try TestOrigin(
      "/a.mp4 no-validators", "/b.mp4 no-validators", "/a.mp4 stall:1000000 times 1")
    let old = Noise.bytes(2_000_000, seed: 1)
    var new = old
    // Both ends of the held bytes are the same in both files: an overlap would prove the wrong
    // version.
    new.replaceSubrange(500_000..<500_100, with: Noise.bytes(100, seed: 2))
    try origin.serve("a.mp4", old)
    try origin.serve("b.mp4", new)
    let first = try failure(
      origin.job("a.mp4"), observer: TestObserver(stoppingAt: 1_000_000))
    #expect(first == .interrupted)
    try fetch(origin.job("b.mp4"))
    #expect(try origin.partial() == new)
    let asked = try origin.hits(atLeast: 2).filter { $0.path == "/b.mp4" }
    #expect(asked.map(\.range) == [nil])
  }

  @Test func `a complete part is verified again without a request`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", size)
    let job = try origin.job("a.mp4")
    let first = try fetch(job)
    #expect(try ResumeData.load(job.resume)?.completedRanges.count ?? 0 >= Int64(size) - 256 * 1024)
    let second = try fetch(job)
    #expect(try origin.partial() == bytes)
    #expect(second.sha256 == first.sha256)
    #expect(second.requests <= 1)
  }

  @Test func `after another boot only ranges with a digest are trusted`() throws {
    let (origin, bytes) = try begun(size: 9_000_000, at: 5_000_000)
    let text = try origin.scratch.text("partial/a.part.json")
    // A killed process has not recorded a digest of the tail.
    let object = text.replacing("\"boot\":\"\(bootID())\"", with: "\"boot\":\"another\"")
      .replacing(/"tail":\[[^\]]*\],/, with: "")
    try origin.scratch.write("partial/a.part.json", object)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.hits(atLeast: 2).last?.range == "bytes=\(4_194_304 - compared)-")
    #expect(try origin.partial() == bytes)
  }

  @Test func `a segment that changed on disk is fetched again, and nothing else`() throws {
    let (origin, bytes) = try begun(size: 9_000_000, at: 5_000_000)
    let held = try #require(try ResumeData.load(origin.job("a.mp4").resume)).completedRanges.count
    try origin.flipHeldByte(100)
    try fetch(origin.job("a.mp4"))
    let ranges = try origin.hits(atLeast: 3).dropFirst().map(\.range)
    #expect(ranges == ["bytes=0-4194303", "bytes=\(held - compared)-"])
    #expect(try origin.partial() == bytes)
  }

  @Test func `a tail that changed on disk is fetched again`() throws {
    let (origin, bytes) = try begun()
    try origin.flipHeldByte(100)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  // Regression: without a digest these bytes were continued, and the file became ready with them.
  @Test func `a tail that changed after a kill is fetched again, and nothing else`()
    throws
  {
    let (origin, bytes) = try begun(size: 9_000_000, at: 5_000_000)
    // A killed process has not recorded a digest of the tail.
    let record = try origin.scratch.text("partial/a.part.json")
    try origin.scratch.write(
      "partial/a.part.json", record.replacing(/"tail":\[[^\]]*\],/, with: ""))
    try origin.flipHeldByte(4_500_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.hits(atLeast: 2).last?.range == "bytes=\(4_194_304 - compared)-")
    #expect(try origin.partial() == bytes)
  }

  @Test func `all records of a killed process are trusted`() throws {
    let (origin, bytes) = try begun(size: 9_000_000, at: 5_000_000)
    let held = try #require(try ResumeData.load(origin.job("a.mp4").resume)).completedRanges.count
    let record = try origin.scratch.text("partial/a.part.json")
    try origin.scratch.write(
      "partial/a.part.json", record.replacing(/"tail":\[[^\]]*\],/, with: ""))
    try fetch(origin.job("a.mp4"))
    #expect(try origin.hits(atLeast: 2).last?.range == "bytes=\(held - compared)-")
    #expect(try origin.partial() == bytes)
  }

  @Test func `bytes without a record are not trusted`() throws {
    let (origin, bytes) = try begun()
    try removeFile(origin.job("a.mp4").resume)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.hits(atLeast: 2).last?.range == nil)
    #expect(try origin.partial() == bytes)
  }

  @Test func `the record of another part is not trusted`() throws {
    let (origin, bytes) = try begun()
    var job = try origin.job("a.mp4")
    job.partName = "image"
    try fetch(job)
    #expect(try origin.hits(atLeast: 2).last?.range == nil)
    #expect(try origin.partial() == bytes)
  }

  @Test func `a stop ends a transfer that receives nothing`() throws {
    let origin = try TestOrigin("/a.mp4 hang")
    try origin.serve("a.mp4", size)
    let start = ContinuousClock().now
    #expect(
      try failure(origin.job("a.mp4"), observer: TestObserver(stoppingAt: 0)) == .interrupted)
    #expect(ContinuousClock().now - start < .seconds(5))
  }

  @Test func `at most the window is received and not yet recorded`() throws {
    let origin = try TestOrigin("/a.mp4 rate:6000000")
    let bytes = try origin.serve("a.mp4", 3_000_000)
    let job = try origin.job("a.mp4")
    let gauge = RecordGauge(job.resume, total: 3_000_000)
    try fetch(job, observer: gauge)
    #expect(gauge.worst <= Int64(HTTPTransfer.window))
    #expect(try origin.partial() == bytes)
  }
}

/// Inspects the resume data during a transfer: the bytes that would have to be fetched again after
/// a kill.
final class RecordGauge: TransferObserver {
  private let path: FilePath
  private let total: Int64
  private let most = Mutex<Int64>(0)

  init(_ path: FilePath, total: Int64) {
    self.path = path
    self.total = total
  }

  var worst: Int64 { most.withLock { $0 } }
  var stop: StopRequest? { nil }

  func progressed(held: Int64, total: Int64?, received: Int64, connections: Int) {
    guard held < self.total, let data = try? ResumeData.load(path) else { return }
    most.withLock { $0 = max($0, received - data.completedRanges.count) }
  }

  func noted(_ text: String) {}
  func retrying(attempt: Int, after failure: Failure, delay milliseconds: Int64) {}
}

extension TestOrigin {
  /// Inverts one byte of the partial file.
  func flipHeldByte(_ offset: Int) throws {
    var bytes = try partial()
    bytes[offset] ^= 0xff
    try scratch.write("partial/a.part", bytes)
  }
}
