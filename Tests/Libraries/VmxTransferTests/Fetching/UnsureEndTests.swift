import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Bodies without a known length: only a further request shows whether they are complete.
@Suite struct UnsureEndTests {
  private let size = 1_000_000

  @Test(arguments: ["http10", "no-length", "http10 etag-weak", "no-length modified-now etag-none"])
  func `the source is asked for what lies behind the end`(_ way: String) throws {
    let origin = try TestOrigin("/a.mp4 \(way)")
    let bytes = try origin.serve("a.mp4", size)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    // No body comes twice: at most a probe.
    #expect(try origin.hits().reduce(0) { $0 + $1.sent } <= Int64(size) + 2 * 65_536)
  }

  @Test func `where a strong validator says which version, that is one request`() throws {
    let origin = try TestOrigin("/a.mp4 http10")
    try origin.serve("a.mp4", size)
    #expect(try fetch(origin.job("a.mp4")).proof == .length)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits.map(\.status) == [200, 416])
    #expect(hits[1].range == "bytes=1000000-")
    #expect(hits[1].ifRange != nil)
  }

  @Test(arguments: [
    "http10", "no-length", "http10 no-validators", "http10 range-ignored",
    "no-length range-ignored no-validators", "http10 if-range-ignored", "http10 range-416",
    "no-length etag-rotate", "http10 range-star",
  ])
  func `what was cut goes on`(_ way: String) throws {
    let origin = try TestOrigin("/a.mp4 \(way)", "/a.mp4 cut:300000 times 1")
    let bytes = try origin.serve("a.mp4", size)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: ["http10", "http10 range-ignored", "http10 no-validators", "http10 range-416"])
  func `what is cut at one place again and again is never whole`(_ way: String) throws {
    let origin = try TestOrigin("/a.mp4 \(way)", "/a.mp4 status:503 after 1", "/a.mp4 cut:300000")
    try origin.serve("a.mp4", size)
    #expect(try failure(origin.job("a.mp4")) == .httpFailing)
    #expect(try origin.hits().count == 6)
  }

  @Test(arguments: ["http10", "http10 range-ignored", "http10 no-validators range-ignored"])
  func `another version the second time is taken whole`(_ way: String) throws {
    let origin = try TestOrigin(
      "/a.mp4 \(way)", "/a.mp4 cut:300000 times 1", "/a.mp4 swap after 1")
    try origin.serve("a.mp4", size, seed: 1)
    let new = try origin.serve("a.mp4@2", size, seed: 2)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
  }

  @Test func `a second version that begins alike is taken from where it differs`() throws {
    let origin = try TestOrigin("/a.mp4 http10 no-validators range-ignored", "/a.mp4 swap after 1")
    let old = try origin.serve("a.mp4", size, seed: 1)
    let new = Array(old[..<700_000]) + Noise.bytes(200_000, seed: 2)
    try origin.serve("a.mp4@2", new)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
    #expect(result.sha256 == sha256(new))
    #expect(result.proof == .repeated)
  }

  @Test func `bytes that are others each time are given up`() throws {
    let origin = try TestOrigin("/a.mp4 http10 no-validators range-ignored alternate")
    try origin.serve("a.mp4", size, seed: 1)
    try origin.serve("a.mp4@2", size, seed: 2)
    #expect(try failure(origin.job("a.mp4")) == .sourceChanged)
    #expect(try origin.hits().count <= 8)
  }

  @Test func `a size or a digest that was published needs no further request`() throws {
    let origin = try TestOrigin("/a.mp4 http10")
    let bytes = try origin.serve("a.mp4", size)
    var job = try origin.job("a.mp4")
    job.expectedSize = ByteCount(clamping: Int64(size))
    try fetch(job)
    job = try origin.job("a.mp4")
    job.expectedDigest = sha256(bytes)
    try fetch(job)
    #expect(try origin.hits(atLeast: 2).count == 2)
  }

  @Test func `a document is compared as a whole`() throws {
    let kind = TransferJob.Kind.document(limit: ByteCount(clamping: 200_000))
    let origin = try TestOrigin("/a.srt http10", "/a.srt cut:50000 times 1")
    let bytes = try origin.serve("a.srt", 100_000)
    #expect(try fetch(origin.job("a.srt", kind: kind)).proof == .repeated)
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 3).allSatisfy { $0.range == nil })
  }
}
