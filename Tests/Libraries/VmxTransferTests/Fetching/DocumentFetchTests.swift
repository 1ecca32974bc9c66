import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Small files: decoded if they have a content coding, never resumed, never too large.
@Suite struct DocumentFetchTests {
  private let kind = TransferJob.Kind.document(limit: ByteCount(clamping: 200_000))

  @Test(arguments: ["gzip", "chunked", "no-length", "cut:50000 times 1", "type:text/html"])
  func `a document is fetched completely`(_ fault: String) throws {
    let origin = try TestOrigin("/a.srt \(fault)")
    let bytes = try origin.serve("a.srt", 100_000)
    let result = try fetch(origin.job("a.srt", kind: kind))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
  }

  @Test func `a document is never resumed`() throws {
    let origin = try TestOrigin("/a.srt cut:50000 times 1")
    try origin.serve("a.srt", 100_000)
    try fetch(origin.job("a.srt", kind: kind))
    #expect(try origin.hits(atLeast: 2).allSatisfy { $0.range == nil })
    #expect(origin.scratch.exists("partial/a.part.json") == false)
  }

  @Test(arguments: ["chunked", "close"])
  func `a document that is too large is refused`(_ fault: String) throws {
    let origin = try TestOrigin("/a.srt \(fault)")
    try origin.serve("a.srt", 300_000)
    #expect(try failure(origin.job("a.srt", kind: kind)) == .bodyTooLarge)
  }

  @Test func `a small response that expands excessively is refused`() throws {
    let origin = try TestOrigin("/a.srt gzip")
    try origin.serve("a.srt", [UInt8](repeating: 7, count: 2_000_000))
    #expect(try failure(origin.job("a.srt", kind: kind)) == .bodyTooLarge)
  }
}
