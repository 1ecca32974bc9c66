import Testing
import VmxModel

@testable import VmxTransfer

/// Servers that handle ranges incorrectly: the file is nevertheless correct.
@Suite struct RangeFaultTests {
  @Test(arguments: [
    "range-ignored", "range-ignored etag-weak", "range-416", "accept-ranges:none",
    "range-shift:1000", "range-shift:-1000", "range-short:5000", "range-total:10", "range-star",
    "content-range:-", "content-range:bytes%200-1/2", "multipart", "range-lie:1000 etag-weak",
    "range-lie:-1000 no-validators", "chunked", "no-length", "http10", "etag-rotate",
    "etag-rotate:2", "connections:1", "range-as-200", "range-as-200 no-validators",
    "multipart content-range:-", "unasked-206", "etag:\"\"",
  ])
  func `a file cut once is completed from a server that does this`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    var job = try origin.job("a.mp4")
    // If no length is declared, the end of a connection does not differ from a cut.
    job.expectedSize = ByteCount(2_000_000)
    let result = try fetch(job)
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
    #expect(try origin.hits().count <= 6)
  }

  @Test(arguments: [400, 405, 412, 431, 501])
  func `a server that refuses only ranges delivers the whole`(_ status: Int64) throws {
    let origin = try TestOrigin("/a.mp4 status:\(status) on range", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    // The log may contain the cut response after the next one.
    let statuses = try origin.hits(atLeast: 3).compactMap(\.status)
    #expect(statuses.sorted() == [200, 200, status])
  }

  @Test(arguments: ["no-validators", "etag-rotate", "etag-weak"])
  func `a server without strong validators that cuts early delivers the file`(
    _ fault: String
  ) throws {
    let origin = try TestOrigin("/a.mp4 \(fault) cut:70000")
    let bytes = try origin.serve("a.mp4", 300_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits().count < 30)
  }

  @Test func `a server that sends hardly any bytes each time is given up`() throws {
    let origin = try TestOrigin("/a.mp4 cut:100")
    try origin.serve("a.mp4", 300_000)
    #expect(try failure(origin.job("a.mp4")) == .bodyCut)
    #expect(try origin.hits().count <= 5)
  }

  @Test func `a whole response to a range costs one more request`() throws {
    let origin = try TestOrigin("/a.mp4 range-ignored", "/a.mp4 cut:1000000 times 1")
    try origin.serve("a.mp4", 2_000_000)
    try fetch(origin.job("a.mp4"))
    let hits = try origin.hits(atLeast: 3)
    // Responses are logged when they have ended; the abandoned one may be logged last.
    #expect(hits.filter { $0.range != nil }.count == 2)
    #expect(hits.filter { $0.ifRange != nil }.count == 1)
  }

  @Test func `a wrong range is detected by the digest`() throws {
    let origin = try TestOrigin("/a.mp4 range-lie:1000", "/a.mp4 cut:1000000 times 1")
    let bytes = try origin.serve("a.mp4", 2_000_000)
    var job = try origin.job("a.mp4")
    job.expectedDigest = sha256(bytes)
    let result = try fetch(job)
    #expect(try origin.partial() == bytes)
    #expect(result.proof == .published)
  }

  @Test func `a server without ranges that always cuts at one offset is given up`() throws {
    let origin = try TestOrigin("/a.mp4 range-ignored cut:1000000")
    try origin.serve("a.mp4", 2_000_000)
    #expect(try failure(origin.job("a.mp4")) == .bodyCut)
    #expect(try origin.hits().count <= 8)
  }
}
