import Testing
import VmxDigest
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// The conditions under which bytes are trusted, and the handling of bytes that are not.
@Suite struct ProofTests {
  @Test(arguments: [
    ("digest:right", Proof.published), ("old-digest:right", .published), ("close", .length),
    ("chunked", Proof.none), ("no-length", .length), ("http10", .length),
    ("no-length no-validators", .length), ("chunked digest:right", .published),
    ("http10 digest:right", .published),
  ])
  func `the proof is the strongest that the server allows`(_ fault: String, _ proof: Proof) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    try origin.serve("a.mp4", 10_000)
    #expect(try fetch(origin.job("a.mp4")).proof == proof)
  }

  @Test func `a digest of another function is accepted too`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 10_000)
    var hasher = DigestHasher(.sha512)
    hasher.update(bytes)
    var job = try origin.job("a.mp4")
    job.expectedDigest = hasher.finish()
    #expect(try fetch(job).proof == .published)
    job.expectedDigest = Digest(.sha512, bytes: [UInt8](repeating: 1, count: 64))
    #expect(try failure(job) == .digestMismatch)
  }

  @Test func `wrong bytes are fetched again once, then kept aside`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 1_000_000)
    var job = try origin.job("a.mp4")
    job.expectedDigest = sha256([])
    #expect(try failure(job) == .digestMismatch)
    #expect(try origin.hits(atLeast: 2).map(\.range) == [nil, nil])
    #expect(try origin.scratch.bytes("partial/a.part.aside") == bytes)
    #expect(origin.scratch.names(in: "partial") == ["a.part.aside"])
  }

  @Test func `bytes that were wrong once are corrected`() throws {
    let origin = try TestOrigin("/a.mp4 flip:5000 times 1")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    var job = try origin.job("a.mp4")
    job.expectedDigest = sha256(bytes)
    #expect(try fetch(job).proof == .published)
    #expect(origin.scratch.names(in: "partial").contains("a.part.aside") == false)
  }

  @Test func `a mirror is used if the first source has wrong bytes`() throws {
    let origin = try TestOrigin("/a.mp4 flip:5000")
    try origin.serve("a.mp4", 1_000_000)
    let bytes = try origin.serve("b.mp4", 1_000_000)
    var job = try origin.job("a.mp4", "b.mp4")
    job.expectedDigest = sha256(bytes)
    #expect(try fetch(job).sourceIndex == 1)
  }

  @Test func `a length other than the published one is refused before a byte is written`() throws {
    let origin = try TestOrigin()
    try origin.serve("a.mp4", 1000)
    var job = try origin.job("a.mp4")
    job.expectedSize = ByteCount(999)
    #expect(try failure(job) == .sizeMismatch)
    #expect(origin.scratch.names(in: "partial").isEmpty)
  }

  @Test func `messages contain no query and no password`() throws {
    let origin = try TestOrigin("/a.mp4 status:404")
    var job = try origin.job("a.mp4?token=secret")
    job.sources[0].url = job.sources[0].url.replacing("127.0.0.1", with: "user:hidden@127.0.0.1")
    let error = #expect(throws: TransferError.self) { try fetch(job) }
    #expect(error?.summary == "'http://127.0.0.1:\(origin.port)/a.mp4' responded with status 404")
  }

  @Test func `the record contains no query`() throws {
    let origin = try TestOrigin("/a.mp4* stall:500000")
    try origin.serve("a.mp4", 1_000_000)
    let job = try origin.job("a.mp4?token=secret")
    #expect(try failure(job, observer: TestObserver(stoppingAt: 500_000)) == .interrupted)
    #expect(try origin.scratch.text("partial/a.part.json").contains("secret") == false)
  }
}
