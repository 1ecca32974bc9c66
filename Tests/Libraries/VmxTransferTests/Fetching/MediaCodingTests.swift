import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Media that the server sends only with a content coding.
@Suite struct MediaCodingTests {
  @Test(arguments: [
    "gzip", "gzip chunked", "gzip no-length", "gzip http10", "gzip close",
    "gzip digest:wrong", "gzip etag:%22x%22", "gzip modified-none etag-none",
    "gzip header:Content-Digest=sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
  ])
  func `it is decoded completely, after one request for identity`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    let fetched = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(fetched.sha256 == sha256(bytes))
    #expect(fetched.proof == .none)
    #expect(fetched.requests == 3)
  }

  @Test(arguments: ["gzip", "brotli", "brotli chunked", "brotli http10"])
  func `a given digest covers the file, not the coded form`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    var job = try origin.job("a.mp4")
    job.expectedDigest = sha256(bytes)
    #expect(try fetch(job).proof == .published)
    job.expectedDigest = sha256([1])
    #expect(try failure(job) == .digestMismatch)
  }

  @Test(arguments: [
    ("gzip:1", ErrorCode.bodyCut), ("gzip:9 chunked", .bodyCut), ("gzip:300000", .bodyCut),
    ("gzip:300000 http10", .bodyCut), ("gzip:3 no-length", .bodyCut), ("gzip cut:500000", .bodyCut),
    ("gzip-crc", .encodedBody), ("gzip-crc chunked", .encodedBody),
    ("coding:gzip", .encodedBody),
  ])
  func `a truncated or invalid stream is never a file`(_ fault: String, _ code: ErrorCode) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    try origin.serve("a.mp4", 1_000_000)
    #expect(try failure(origin.job("a.mp4")) == code)
  }

  @Test func `a truncated stream is fetched again, never by a range`() throws {
    let origin = try TestOrigin("/a.mp4 gzip", "/a.mp4 cut:600000 after 2 times 2")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    let observer = TestObserver()
    try fetch(origin.job("a.mp4"), observer: observer)
    #expect(try origin.partial() == bytes)
    #expect(observer.retries.map(\.code) == [.bodyCut, .bodyCut])
    #expect(try origin.hits(atLeast: 5).allSatisfy { $0.range == nil })
    #expect(observer.last.total == 1_000_000)
  }

  @Test func `an interrupted stream is restarted in the next run`() throws {
    let origin = try TestOrigin("/a.mp4 gzip", "/a.mp4 stall:600000 after 2 times 1")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    let job = try origin.job("a.mp4")
    #expect(try failure(job, observer: TestObserver(stoppingAt: 400_000)) == .interrupted)
    #expect(!origin.scratch.exists("partial/a.part.json"))
    try fetch(job)
    #expect(try origin.partial() == bytes)
  }

  @Test func `held bytes of the plain form are never joined with decoded ones`() throws {
    let origin = try TestOrigin("/a.mp4 cut:600000 times 1", "/a.mp4 gzip swap after 1")
    try origin.serve("a.mp4", 1_000_000)
    let second = try origin.serve("a.mp4@2", 1_000_000, seed: 2)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == second)
  }

  @Test func `a compressed web page is not a video`() throws {
    let origin = try TestOrigin("/a.mp4 gzip type:video/mp4")
    try origin.serve("a.mp4", Array("<!doctype html>".utf8) + Noise.bytes(5000))
    #expect(try failure(origin.job("a.mp4")) == .notMedia)
  }

  @Test func `a decompression bomb is aborted before it has filled the disk`() throws {
    let origin = try TestOrigin("/a.mp4 gzip-bomb:900000000")
    try origin.serve("a.mp4", 1000)
    let observer = TestObserver()
    #expect(try failure(origin.job("a.mp4"), observer: observer) == .encodedBody)
    #expect(observer.last.received < 300_000_000)
  }
}
