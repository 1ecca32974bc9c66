import Testing
import VmxModel
import VmxSettings
import VmxTestSupport

@testable import VmxTransfer

/// Bodies without a known length: only a further request shows whether they are complete.
@Suite struct UnsureEndTests {
  private let size = 1_000_000

  /// Returns settings that use HTTP/2 if a variant begins with that word, and the rest of the
  /// variant.
  private func spoken(_ way: String) throws -> (settings: TransferSettings, rule: String) {
    guard way.hasPrefix("http2 ") else { return (quick, way) }
    var rules = Settings()
    try rules.add(parameter: "network.http-version=2")
    var settings = quick
    settings.hosts = try HostTable(rules, home: "/")
    return (settings, String(way.dropFirst(6)))
  }

  @Test(arguments: [
    "http10", "no-length", "http10 etag-weak", "no-length modified-now etag-none",
    "http2 chunked", "http2 chunked etag-weak",
  ])
  func `bytes after the end are requested from the source`(_ way: String) throws {
    let (settings, rule) = try spoken(way)
    let origin = try TestOrigin("/a.mp4 \(rule)")
    let bytes = try origin.serve("a.mp4", size)
    #expect(try [.length, .probe].contains(fetch(origin.job("a.mp4"), settings).proof))
    #expect(try origin.partial() == bytes)
    // No body is received twice: at most a probe is.
    #expect(try origin.hits().reduce(0) { $0 + $1.sent } <= Int64(size) + 2 * 65_536)
  }

  @Test func `if a strong validator identifies the version, that is one request`() throws {
    let origin = try TestOrigin("/a.mp4 http10")
    try origin.serve("a.mp4", size)
    #expect(try fetch(origin.job("a.mp4")).proof == .length)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits.map(\.status) == [200, 416])
    #expect(hits[1].range == "bytes=1000000-")
    #expect(hits[1].ifRange != nil)
  }

  @Test(arguments: [
    "http10", "no-length", "http10 no-validators", "http10 if-range-ignored",
    "no-length etag-rotate", "http10 range-star", "http2 chunked", "http2 chunked no-validators",
  ])
  func `a truncated body is continued`(_ way: String) throws {
    let (settings, rule) = try spoken(way)
    let origin = try TestOrigin("/a.mp4 \(rule)", "/a.mp4 cut:300000 times 1")
    let bytes = try origin.serve("a.mp4", size)
    try fetch(origin.job("a.mp4"), settings)
    #expect(try origin.partial() == bytes)
  }

  // Regression: two bodies with the same end, and thus a repeated cut at one byte, passed as a
  // complete file.
  @Test(arguments: [
    "http10 range-ignored", "no-length range-ignored no-validators", "http2 chunked range-ignored",
  ])
  func `without length and ranges, an end that a cut shares is not an end`(_ way: String) throws {
    for cut in [[], ["/a.mp4 cut:300000"]] {
      let (settings, rule) = try spoken(way)
      let origin = try TestOrigin(["/a.mp4 \(rule)"] + cut)
      try origin.serve("a.mp4", size)
      #expect(try failure(origin.job("a.mp4"), settings) == .bodyCut)
      #expect(try origin.hits().count <= 5)
    }
  }

  @Test func `a 416 to every range proves nothing about the end`() throws {
    let origin = try TestOrigin("/a.mp4 http10 range-416 cut:300000")
    try origin.serve("a.mp4", size)
    #expect(try failure(origin.job("a.mp4")) == .bodyCut)
  }

  @Test(arguments: ["http10", "http10 range-ignored", "http10 no-validators", "http10 range-416"])
  func `a body that is cut and then refused is never complete`(_ way: String) throws {
    let origin = try TestOrigin("/a.mp4 \(way)", "/a.mp4 status:500 after 1", "/a.mp4 cut:300000")
    try origin.serve("a.mp4", size)
    #expect(try failure(origin.job("a.mp4")) == .httpFailing)
    // The last request is for the whole, since a server may refuse only ranges.
    #expect(try origin.hits(atLeast: 7).count == 7)
  }

  @Test func `a second body with a length is accepted`() throws {
    let origin = try TestOrigin("/a.mp4 http10 cut:300000 times 1", "/a.mp4 range-ignored")
    let bytes = try origin.serve("a.mp4", size)
    #expect(try fetch(origin.job("a.mp4")).proof == .length)
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: ["http10", "http10 no-validators"])
  func `another version at the second attempt is accepted completely`(_ way: String) throws {
    let origin = try TestOrigin(
      "/a.mp4 \(way)", "/a.mp4 cut:300000 times 1", "/a.mp4 swap after 1")
    try origin.serve("a.mp4", size, seed: 1)
    let new = try origin.serve("a.mp4@2", size, seed: 2)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
  }

  @Test func `a second version with the same beginning is read from the difference on`() throws {
    let origin = try TestOrigin(
      "/a.mp4 no-validators range-ignored", "/a.mp4 http10 times 1", "/a.mp4 swap after 1")
    let old = try origin.serve("a.mp4", size, seed: 1)
    let new = Array(old[..<700_000]) + Noise.bytes(200_000, seed: 2)
    try origin.serve("a.mp4@2", new)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == new)
    #expect(result.sha256 == sha256(new))
    #expect(result.proof == .length)
  }

  @Test func `a published size or digest needs no further request`() throws {
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

  @Test(arguments: ["http10", "http10 no-validators", "http2 chunked"])
  func `a document is never continued, but its end is probed`(_ way: String) throws {
    let kind = TransferJob.Kind.document(limit: ByteCount(clamping: 200_000))
    let (settings, rule) = try spoken(way)
    let origin = try TestOrigin("/a.srt \(rule)", "/a.srt cut:50000 times 1")
    let bytes = try origin.serve("a.srt", 100_000)
    #expect(try fetch(origin.job("a.srt", kind: kind), settings).proof == .length)
    #expect(try origin.partial() == bytes)
    let hits = try origin.hits(atLeast: 4)
    // The order of the log is not that of the requests, and a reset may drop bytes before the cut.
    #expect(hits.count { $0.range == nil } == 2)
    #expect(hits.contains { $0.range == "bytes=100000-" })
  }
}
