import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Responses that are not valid, or not the file.
@Suite struct AnswerFaultTests {
  /// Settings with which a stall is detected after a tenth of a second.
  private var impatient: TransferSettings {
    var settings = quick
    settings.stallTime = 100
    settings.responseTime = 100
    settings.attempts = 2
    return settings
  }

  @Test(arguments: [
    "drop times 2", "drop-reset times 2", "garbage:100 times 1", "no-http:100 times 1",
    "hints:3", "big-head:60000", "cut-head:20 times 1", "endless-head times 1",
    "status:202 times 1", "status:421 times 1", "status:423 times 1", "coding:none",
    "coding:utf-8", "coding:binary", "coding:aws-chunked", "coding:mp4",
    "header:Transfer-Encoding=identity", "header:Content-Encoding=",
    "status:500 times 2", "status:502 times 1", "status:408 times 1", "status:503 times 1",
    "chunked", "chunked-open", "chunked-broken:1000 times 1", "reset:1000 times 1",
    "reset:900000 times 3", "cut:0 times 1", "empty times 1", "page times 1",
    "retry-after:0 status:503 times 1",
    "length-off:10 times 1", "redirect:302:/b.mp4", "redirect:307:http://@SECOND@/b.mp4",
    "length-twice times 1", "gzip times 1", "old-digest:right", "digest:right",
    "digest:wrong times 1",
    "close", "type:-",
  ])
  func `a file is correct although the server does this`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try origin.serve("b.mp4", 1_000_000)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
  }

  @Test(arguments: [
    ("status:401", ErrorCode.httpDenied, 1), ("status:403", .httpDenied, 1),
    ("status:404", .httpGone, 1), ("status:410", .httpGone, 1), ("status:418", .httpRefused, 1),
    ("status:500", .httpFailing, 5), ("status:429", .rateLimited, 5),
    ("status:503 retry-after:3600", .rateLimited, 1), ("status:429 retry-at:3600", .rateLimited, 1),
    ("redirect:302:file:///etc/passwd", .redirectRefused, 1),
    ("redirect:302:ftp://127.0.0.1/a", .redirectRefused, 1),
    ("redirect:302:http://", .redirectRefused, 1), ("loop", .redirectLoop, 11),
    ("empty", .emptyBody, 2), ("page", .notMedia, 2), ("coding:compress", .encodedBody, 2),
    ("coding:br", .encodedBody, 2), ("brotli", .encodedBody, 2), ("coding:gzip", .encodedBody, 4),
    ("drop", .netReset, 5), ("no-http:100", .protocolBroken, 5),
    ("endless-head", .protocolBroken, 5), ("status:204", .emptyBody, 2),
    ("length:9000000000000000", .diskFull, 1), ("status:304", .httpRefused, 1),
    ("digest:wrong", .digestMismatch, 2),
    ("type:application/xhtml+xml", .notMedia, 2), ("page:video/mp4", .notMedia, 2),
    ("page:video/mp4 http10", .notMedia, 2),
  ])
  func `the error is reported, after no more requests than that`(
    _ fault: String, _ code: ErrorCode, _ requests: Int
  ) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    try origin.serve("a.mp4", 100_000)
    #expect(try failure(origin.job("a.mp4")) == code)
    #expect(try origin.hits(atLeast: requests).count == requests)
  }

  @Test(arguments: ["hang", "stall:100", "rate:100", "slow-head:100", "wait:20000"])
  func `a very low rate for too long is a stall`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 \(fault)")
    try origin.serve("a.mp4", 100_000)
    #expect(try failure(origin.job("a.mp4"), impatient) == .netStalled)
  }

  @Test func `a stalled connection is abandoned and resumed`() throws {
    let origin = try TestOrigin("/a.mp4 stall:600000 times 1")
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try fetch(origin.job("a.mp4"), impatient)
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 2).last?.range?.hasPrefix("bytes=") == true)
  }

  @Test func `a page is refused before a byte is written`() throws {
    let origin = try TestOrigin("/a.mp4 page")
    try origin.serve("a.mp4", 100_000)
    #expect(try failure(origin.job("a.mp4")) == .notMedia)
    #expect(origin.scratch.names(in: "partial").isEmpty)
  }

  @Test(arguments: [
    "image/png", "application/json", "text/css", "application/problem+json", "text/xml",
  ])
  func `a content type that contradicts the declaration is refused`(_ type: String) throws {
    let origin = try TestOrigin("/a.mp4 type:\(type)")
    try origin.serve("a.mp4", 100_000)
    var job = try origin.job("a.mp4")
    job.declaredType = "video/mp4"
    #expect(try failure(job) == .typeMismatch)
    #expect(try origin.hits(atLeast: 2).count == 2)
    #expect(origin.scratch.names(in: "partial").isEmpty)
    job.declaredType = nil
    try fetch(job)
  }

  @Test(arguments: [
    "application/octet-stream", "binary/octet-stream", "-", "text/plain", "video/webm",
    "audio/mp4", "VIDEO/MP4;codecs=x", "application/x-matroska", "nonsense",
  ])
  func `types that servers often send by mistake are decided by the bytes`(_ type: String) throws {
    let origin = try TestOrigin("/a.mp4 type:\(type)")
    try origin.serve("a.mp4", 100_000)
    var job = try origin.job("a.mp4")
    job.declaredType = "video/mp4"
    try fetch(job)
  }

  @Test(arguments: [
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("{\"error\":".utf8),
    Array("%PDF-1.7".utf8), Array("<?xml version=".utf8), [0x1F, 0x8B, 8],
  ])
  func `a body of another kind is abandoned after some kilobytes`(_ front: [UInt8]) throws {
    let origin = try TestOrigin("/a.mp4 rate:200000:300000")
    try origin.serve("a.mp4", front + Noise.bytes(3_000_000))
    #expect(try failure(origin.job("a.mp4")) == .notMedia)
    #expect(origin.scratch.names(in: "partial").isEmpty)
    #expect(try origin.hits(atLeast: 2).allSatisfy { $0.sent < 2_000_000 })
  }

  @Test func `a page that arrives in small pieces leaves no held bytes`() throws {
    let origin = try TestOrigin("/a.mp4 type:video/mp4 rate:30000")
    try origin.serve("a.mp4", Array("<!doctype html>".utf8) + Noise.bytes(4200))
    #expect(try failure(origin.job("a.mp4")) == .notMedia)
    #expect(origin.scratch.names(in: "partial").isEmpty)
  }

  @Test func `the server does not respond`() throws {
    let origin = try TestOrigin()
    let job = try origin.job("http://127.0.0.1:1/a.mp4")
    #expect(try failure(job) == .hostUnreachable)
  }

  @Test func `a URL of another scheme is not requested`() throws {
    let origin = try TestOrigin()
    var job = try origin.job("a.mp4")
    job.sources = [TransferSource(url: "ftp://127.0.0.1/a.mp4")]
    #expect(try failure(job) == .sourceUnsupported)
  }

  @Test func `the second source is used if the first has nothing`() throws {
    let origin = try TestOrigin("/a.mp4 status:404")
    let bytes = try origin.serve("b.mp4", 100_000)
    let result = try fetch(origin.job("a.mp4", "b.mp4"))
    #expect(result.sourceIndex == 1)
    #expect(try origin.partial() == bytes)
  }
}
