import Glibc
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxDigest

@Suite struct FileDigestTests {
  private func digest(
    of bytes: [UInt8], segments: Bool, shouldStop: (ByteCount) -> Bool = { _ in false }
  ) throws -> FileDigest {
    let folder = try ScratchFolder()
    try folder.write("file", bytes)
    let descriptor = open("\(folder.path("file"))", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try FileDigest.of(descriptor, withSegments: segments, shouldStop: shouldStop)
  }

  @Test func `one pass gives size, whole and segments`() throws {
    let found = try digest(of: SegmentDigestsTests.bytes, segments: true)
    #expect(found.size.bytes == Int64(SegmentDigestsTests.bytes.count))
    #expect(found.whole == SegmentDigestsTests.digest(0..<SegmentDigestsTests.bytes.count))
    #expect(found.segments == SegmentDigestsTests.expected)
  }

  /// One group, several, and what is left of one; the last segment whole, nearly empty, short.
  @Test(arguments: [7 << 22, 8 << 22, 9 << 22 + 1, 17 << 22 - 1])
  func `segments of large files are those of the bytes`(size: Int) throws {
    let bytes = patterned(size)
    let found = try digest(of: bytes, segments: true)
    var expected = SegmentDigests()
    expected.update(bytes)
    #expect(found.segments == expected.finish())
  }

  @Test func `segments are made only where they are wanted`() throws {
    #expect(try digest(of: [1, 2, 3], segments: false).segments.isEmpty)
  }

  @Test func `an empty file has the digest of nothing`() throws {
    let found = try digest(of: [], segments: true)
    #expect(found.size.bytes == 0)
    #expect(found.whole.hex.hasPrefix("e3b0c442"))
    #expect(found.segments.isEmpty)
  }

  @Test func `a digest that is told to stop ends as interrupted`() throws {
    #expect(throws: WorkEnded.interrupted) {
      try digest(of: [1, 2, 3], segments: false) { $0.bytes == 3 }
    }
  }

  @Test func `a folder cannot be digested`() {
    let descriptor = open("/", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(throws: DigestError.unreadable(offset: 0, errno: EISDIR)) {
      _ = try FileDigest.of(descriptor)
    }
  }
}
