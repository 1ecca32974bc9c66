import Glibc
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxDigest

@Suite struct FileDigestTests {
  /// Two complete segments and a partial one.
  private static let bytes = patterned(2 * Int(SegmentMap.size) + 1000)

  private static func digest(_ range: Range<Int>) -> Digest {
    DigestHasher.sha256(of: Array(bytes[range]))
  }

  /// Returns the digests of the segments, each computed separately.
  private static func segments(of bytes: [UInt8]) -> [Digest] {
    let size = Int(SegmentMap.size)
    return stride(from: 0, to: bytes.count, by: size).map { start in
      DigestHasher.sha256(of: Array(bytes[start..<min(bytes.count, start + size)]))
    }
  }

  private func digest(
    of bytes: [UInt8], segments: Bool, shouldStop: (ByteCount) -> Bool = { _ in false }
  ) throws -> FileDigest {
    let folder = try ScratchFolder()
    try folder.write("file", bytes)
    let descriptor = open("\(folder.path("file"))", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try FileDigest.of(descriptor, withSegments: segments, shouldStop: shouldStop)
  }

  @Test func `one pass computes size, whole digest and segments`() throws {
    let found = try digest(of: Self.bytes, segments: true)
    #expect(found.size.bytes == Int64(Self.bytes.count))
    #expect(found.sha256 == Self.digest(0..<Self.bytes.count))
    #expect(found.segments == Self.segments(of: Self.bytes))
  }

  /// One group, several groups, and an incomplete one; the last segment complete, nearly empty, or
  /// short.
  @Test(arguments: [1 << 22, 7 << 22, 8 << 22, 9 << 22 + 1, 17 << 22 - 1])
  func `the segments of large files match their bytes`(size: Int) throws {
    let bytes = patterned(size)
    let found = try digest(of: bytes, segments: true)
    #expect(found.segments == Self.segments(of: bytes))
  }

  @Test func `segments are computed only on request`() throws {
    #expect(try digest(of: [1, 2, 3], segments: false).segments.isEmpty)
  }

  @Test func `an empty file has the digest of no bytes`() throws {
    let found = try digest(of: [], segments: true)
    #expect(found.size.bytes == 0)
    #expect(found.sha256.hex.hasPrefix("e3b0c442"))
    #expect(found.segments.isEmpty)
  }

  @Test func `a stopped digest ends as interrupted`() throws {
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
