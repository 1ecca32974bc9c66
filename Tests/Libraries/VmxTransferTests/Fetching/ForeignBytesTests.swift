import SystemPackage
import Testing
import VmxModel
import VmxResume
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// Bytes that another program has fetched, as `vmx migrate` records them.
@Suite struct ForeignBytesTests {
  private static let block = 64 * 1024

  /// Puts bytes into the partial file of a job, with the resume data of a migration.
  private func put(
    _ bytes: [UInt8], in origin: TestOrigin, total: Int64? = nil, etag: String? = nil
  ) throws {
    let job = try origin.job("a.mp4")
    try origin.scratch.write("partial/a.part", bytes)
    let size = Int64(bytes.count)
    var segments: [Int: Digest] = [:]
    for index in 0..<Int(size / SegmentMap.size) {
      let range = SegmentMap.range(index)
      segments[index] = sha256(Array(bytes[Int(range.start)..<Int(range.end)]))
    }
    let rest = Array(bytes[Int(size / SegmentMap.size * SegmentMap.size)...])
    let tail = rest.isEmpty ? nil : ResumeData.Tail(end: size, sha256: sha256(rest))
    var data = ResumeData(
      episode: job.episode, part: job.partName, source: StableHash.of(job.sources[0].url),
      url: job.sources[0].url, finalURL: job.sources[0].url,
      version: SourceVersion(validators: Validators(etag: etag), total: total),
      held: ByteRangeSet([ByteRange(0..<size)]), segments: segments, tail: tail, boot: bootID(),
      isProbed: true)
    data.isForeign = true
    try origin.scratch.write("partial/a.part.json", data.line)
  }

  @Test(arguments: [[], ["/a.mp4 no-validators"], ["/a.mp4 etag-weak"]])
  func `the rest is fetched, and blocks of what is held`(rules: [String]) throws {
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
  func `bytes of the whole size are asked for`(total: Int64?) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 2_000_000)
    try put(bytes, in: origin, total: total)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 2).allSatisfy { $0.range != nil })
  }

  @Test func `bytes of the whole size of another version are fetched anew`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 2_000_000, seed: 1)
    try put(Noise.bytes(2_000_000, seed: 2), in: origin, total: 2_000_000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [1, 1000, 65_536, 100_000, 1_000_000])
  func `more bytes than the origin has are fetched anew`(surplus: Int) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 1_000_000)
    try put(bytes + Noise.bytes(surplus, seed: 2), in: origin)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }

  @Test(arguments: [0, 700_000, 1_999_999])
  func `one wrong region is found, and all is fetched anew`(offset: Int) throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 3_000_000)
    var wrong = Array(bytes.prefix(2_000_000))
    for index in offset..<min(offset + 300_000, wrong.count) { wrong[index] ^= 0xFF }
    try put(wrong, in: origin)
    let result = try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(result.sha256 == sha256(bytes))
  }

  @Test func `another entity tag than the recorded one is another version`() throws {
    let origin = try TestOrigin()
    let bytes = try origin.serve("a.mp4", 3_000_000)
    try put(Array(bytes.prefix(2_000_000)), in: origin, etag: "\"other\"")
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 1).contains { $0.sent == 3_000_000 })
  }

  @Test func `an origin without ranges sends the whole`() throws {
    let origin = try TestOrigin("/a.mp4 range-ignored on range")
    let bytes = try origin.serve("a.mp4", 3_000_000)
    try put(Array(bytes.prefix(2_000_000)), in: origin)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
  }
}
