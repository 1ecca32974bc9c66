import Testing
import VmxDigest
import VmxModel

@Suite struct SegmentDigestsTests {
  static let size = Int(SegmentDigests.segmentSize)
  /// Two whole segments and a bit.
  static let bytes = patterned(2 * size + 1000)

  static func digest(_ range: Range<Int>) -> Digest {
    var hasher = DigestHasher()
    hasher.update(Array(bytes[range]))
    return hasher.finish()
  }

  static let expected = [
    digest(0..<size), digest(size..<(2 * size)), digest((2 * size)..<bytes.count),
  ]

  @Test(arguments: [bytes.count, 1_000_003, 65_536])
  func `pieces of any size give the same digests`(piece: Int) {
    var segments = SegmentDigests()
    for start in stride(from: 0, to: Self.bytes.count, by: piece) {
      segments.update(Array(Self.bytes[start..<min(start + piece, Self.bytes.count)]))
    }
    #expect(segments.completed == Array(Self.expected.prefix(2)))
    #expect(segments.finish() == Self.expected)
  }

  @Test func `a segment counts from its last byte on`() {
    var segments = SegmentDigests()
    segments.update(Array(Self.bytes[..<(Self.size - 1)]))
    #expect(segments.completed.isEmpty)
    segments.update([Self.bytes[Self.size - 1]])
    #expect(segments.completed == [Self.expected[0]])
    #expect(segments.offset == SegmentDigests.segmentSize)
  }

  @Test func `digests made before are gone on from`() {
    var segments = SegmentDigests(resuming: [Self.expected[0]])
    #expect(segments.offset == SegmentDigests.segmentSize)
    segments.update(Array(Self.bytes[Self.size...]))
    #expect(segments.finish() == Self.expected)
  }

  @Test func `a later segment can be the first`() {
    var segments = SegmentDigests(firstIndex: 1)
    segments.update(Array(Self.bytes[Self.size..<(2 * Self.size)]))
    #expect(segments.completed == [Self.expected[1]])
    #expect(segments.offset == 2 * SegmentDigests.segmentSize)
  }

  @Test func `a file that ends with a segment has no empty one behind it`() {
    var segments = SegmentDigests()
    segments.update(Array(Self.bytes[..<Self.size]))
    #expect(segments.finish() == [Self.expected[0]])
  }

  @Test func `nothing has no segments`() {
    var segments = SegmentDigests()
    segments.update([])
    #expect(segments.finish().isEmpty)
  }
}
