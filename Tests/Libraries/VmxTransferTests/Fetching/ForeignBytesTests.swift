import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// Bytes fetched by another program, as recorded by `vmx migrate`.
@Suite struct ForeignBytesTests {
  private static let block = 64 * 1024

  /// Writes bytes to the partial file of a job, with the resume data of a migration.
  private func put(
    _ bytes: [UInt8], in origin: TestOrigin, total: Int64? = nil, etag: String? = nil,
    prefix: Int64? = nil, later: [Int] = []
  ) throws {
    let job = try origin.job("a.mp4")
    try origin.scratch.write("partial/a.part", bytes)
    let size = prefix ?? Int64(bytes.count)
    var segments: [Int: Digest] = [:]
    for index in Array(0..<Int(size / SegmentMap.size)) + later {
      let range = SegmentMap.range(index)
      segments[index] = sha256(Array(bytes[Int(range.start)..<Int(range.end)]))
    }
    let rest = Array(bytes[Int(size / SegmentMap.size * SegmentMap.size)..<Int(size)])
    let tail = rest.isEmpty ? nil : ResumeData.Tail(end: size, sha256: sha256(rest))
    var data = ResumeData(
      episode: job.episode, part: job.partName, source: StableHash.of(job.sources[0].url),
      url: job.sources[0].url, finalURL: job.sources[0].url,
      version: SourceVersion(validators: Validators(etag: etag), total: total),
      completedRanges: ByteRangeSet([ByteRange(0..<size)] + later.map(SegmentMap.range)),
      segments: segments,
      tail: tail, boot: bootID(),
      isProbed: true)
    data.isForeign = true
    try origin.scratch.write("partial/a.part.json", data.line)
  }

  @Test(arguments: [[], ["/a.mp4 no-validators"], ["/a.mp4 etag-weak"]])
  func `the rest is fetched, and blocks of the held bytes`(rules: [String]) throws {
    let origin = try TestOrigin(rules)
    let bytes = try origin.serve("a.mp4", 3_000_000)
    try put(Array(bytes.prefix(2_000_000)), in: origin)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes) && result.proof == .probe)
    let sent = try origin.hits(atLeast: 2).reduce(0) { $0 + $1.sent }
    #expect(sent <= 1_000_000 + 10 * Int64(Self.block))
  }

  @Test(arguments: [nil, 2_000_000 as Int64])
  func `bytes of the whole size are probed`(total: Int64?) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 2_000_000)
    try put(bytes, in: origin, total: total)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 2).allSatisfy { $0.range != nil })
  }

  @Test func `bytes of the whole size of another version are fetched again`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 2_000_000, seed: 1)
    try put(Noise.bytes(2_000_000, seed: 2), in: origin, total: 2_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [1, 1000, 65_536, 100_000, 1_000_000])
  func `more bytes than the origin has are fetched again`(surplus: Int) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try put(bytes + Noise.bytes(surplus, seed: 2), in: origin)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [0, 700_000, 1_999_999])
  func `one wrong region is found, and all is fetched again`(offset: Int) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 3_000_000)
    var wrong = Array(bytes.prefix(2_000_000))
    for index in offset..<min(offset + 300_000, wrong.count) { wrong[index] ^= 0xFF }
    try put(wrong, in: origin)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
  }

  @Test func `another entity tag than the recorded one indicates another version`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 3_000_000)
    try put(Array(bytes.prefix(2_000_000)), in: origin, etag: "\"other\"")
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 1).contains { $0.sent == 3_000_000 })
  }

  /// Returns a file of 20 MB with the first 2 MB and two segments, and zeros elsewhere.
  private func withHoles(_ bytes: [UInt8]) -> [UInt8] {
    var holes = [UInt8](repeating: 0, count: 18_000_000)
    for range in [0..<2_000_000, 4_194_304..<8_388_608, 12_582_912..<16_777_216] {
      holes.replaceSubrange(range, with: bytes[range])
    }
    return holes
  }

  @Test func `gaps between the bytes are fetched, and blocks of each run`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 20_000_000)
    try put(withHoles(bytes), in: origin, total: 20_000_000, prefix: 2_000_000, later: [1, 3])
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes) && result.proof == .probe)
    let sent = try origin.hits(atLeast: 2).reduce(0) { $0 + $1.sent }
    #expect(sent <= 20_000_000 - 2_000_000 - 2 * 4_194_304 + 20 * Int64(Self.block))
  }

  @Test(arguments: [[], ["/a.mp4 no-validators"], ["/a.mp4 etag-rotate"], ["/a.mp4 etag-weak"]])
  func `a wrong run after a gap is never joined`(rules: [String]) throws {
    let origin = try TestOrigin(rules)
    let bytes = try origin.serve("a.mp4", 20_000_000)
    for place in [4_194_304, 8_388_607, 12_582_912, 16_777_215] {
      var wrong = withHoles(bytes)
      wrong[place] ^= 0xFF
      try put(wrong, in: origin, total: 20_000_000, prefix: 2_000_000, later: [1, 3])
      try fetch(origin.job("a.mp4"))
      #expect(try origin.partial() == bytes)
    }
  }

  @Test func `a file that changes between the probes is fetched again`() throws {
    let origin = try TestOrigin("/a.mp4 swap after 3")
    let bytes = try origin.serve("a.mp4", 20_000_000)
    var other = bytes
    other.replaceSubrange(9_000_000..<9_000_100, with: Noise.bytes(100, seed: 5))
    try origin.serve("a.mp4@2", other)
    try put(withHoles(bytes), in: origin, total: 20_000_000, prefix: 2_000_000, later: [1, 3])
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == other)
  }

  @Test func `an origin without ranges sends the whole`() throws {
    let origin = try TestOrigin("/a.mp4 range-ignored on range")
    let bytes = try origin.serve("a.mp4", 3_000_000)
    try put(Array(bytes.prefix(2_000_000)), in: origin)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }
}
