import Testing
import VmxDigest
import VmxLibrary
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

@Suite struct SegmentBacklogTests {
  private static let segment = Int(SegmentMap.size)

  private let scratch: ScratchFolder
  /// Nine complete segments, all different, and a partial one.
  private let bytes: [UInt8]

  init() throws {
    scratch = try ScratchFolder()
    let noise = Noise.bytes(Self.segment)
    var bytes: [UInt8] = []
    for index in 0..<9 { bytes += [UInt8(index)] + noise[1...] }
    self.bytes = bytes + noise[..<1000]
  }

  private func digest(of index: Int) -> Digest {
    sha256(Array(bytes[index * Self.segment..<(index + 1) * Self.segment]))
  }

  /// Returns a file with some segments written in this order.
  private func file(_ indices: [Int]) throws -> PartialFile {
    var file = try PartialFile(scratch.path("a"))
    for index in indices {
      let start = index * Self.segment
      try file.write(bytes[start..<start + Self.segment], at: Int64(start))
    }
    return file
  }

  @Test func `segments are deferred until there are eight, wherever they are`() throws {
    var backlog = SegmentBacklog()
    var held = ByteRangeSet()
    for (count, index) in [8, 0, 7, 1, 6, 2, 5, 3].enumerated() {
      #expect(backlog.isDue == (count > 0 && !MultiBufferSHA256.isFaster))
      held.insert(SegmentMap.range(index))
      backlog.didWrite(SegmentMap.range(index), held: held)
    }
    #expect(backlog.isDue)
  }

  @Test func `segments have the digests of their offsets, whatever their order`() throws {
    let indices = [8, 0, 7, 1, 6, 2, 5, 3]
    var file = try file(indices)
    try file.digestPending()
    #expect(file.segments == Dictionary(uniqueKeysWithValues: indices.map { ($0, digest(of: $0)) }))
  }

  @Test(arguments: [1, 2, 3, 7])
  func `fewer are digested when a run ends`(_ count: Int) throws {
    var file = try file(Array(0..<count))
    try file.digestPending()
    #expect(file.segments.count == count)
    for index in 0..<count { #expect(file.segments[index] == digest(of: index)) }
  }

  @Test func `at the end all have the same digests as separately`() throws {
    var file = try file(Array(0..<9))
    try file.write(bytes[(9 * Self.segment)...], at: 9 * SegmentMap.size)
    let digests = try #require(try file.finish(length: Int64(bytes.count)) { false })
    #expect(digests.whole == sha256(bytes))
    #expect(
      digests.segments == (0..<9).map(digest) + [sha256(Array(bytes[(9 * Self.segment)...]))])
  }

  @Test func `a dropped segment is no longer deferred`() throws {
    var file = try file([0, 1, 2, 3])
    file.discard(from: 2 * SegmentMap.size + 5)
    try file.digestPending()
    #expect(file.segments.keys.sorted() == [0, 1])
  }

  @Test func `segments that a killed run did not digest are digested with the new ones`() throws {
    let killed = try file([0, 1, 2, 4])
    let data = try ResumeData.of(killed, [1: digest(of: 1)])
    var file = try PartialFile(scratch.path("a"))
    try file.restore(data, boot: "one") { false }
    #expect(file.segments == [1: digest(of: 1)])
    try file.digestPending()
    #expect(file.segments.keys.sorted() == [0, 1, 2, 4])
    #expect(file.segments[4] == digest(of: 4))
  }

  @Test func `of segments that are read together only the changed ones are discarded`() throws {
    let known = try file(Array(0..<9))
    var recorded = Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, digest(of: $0)) })
    recorded[4] = digest(of: 5)
    var file = try PartialFile(scratch.path("a"))
    try file.restore(.of(known, recorded), boot: "one") { false }
    #expect(file.segments.keys.sorted() == [0, 1, 2, 3, 5, 6, 7, 8])
    #expect(
      file.completedRanges.ranges == [
        ByteRange(0..<4 * SegmentMap.size), ByteRange(5 * SegmentMap.size..<9 * SegmentMap.size),
      ])
  }

  @Test func `a stopped read trusts no further bytes`() throws {
    let known = try file(Array(0..<9))
    let recorded = Dictionary(uniqueKeysWithValues: (0..<9).map { ($0, digest(of: $0)) })
    var file = try PartialFile(scratch.path("a"))
    var looks = 0
    try file.restore(.of(known, recorded), boot: "one") {
      looks += 1
      return looks > 1
    }
    #expect(file.completedRanges.ranges == [ByteRange(0..<8 * SegmentMap.size)])
  }
}

extension ResumeData {
  /// Returns the resume data that an earlier run recorded for a file, with these digests.
  fileprivate static func of(
    _ file: borrowing PartialFile, _ segments: [Int: Digest]
  ) throws -> ResumeData {
    ResumeData(
      episode: try EpisodeID("film/one"), part: "video", source: 1, url: "http://127.0.0.1/film",
      finalURL: "http://127.0.0.1/film", version: SourceVersion(),
      completedRanges: file.completedRanges,
      segments: segments, tail: nil, boot: "one", isProbed: false)
  }
}
