import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxDigest

/// Digests of a copy that is read while it is written.
@Suite struct FileCopyDigestTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func copy(
    _ bytes: [UInt8], shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> FileDigest {
    try scratch.write("source", bytes)
    return try FileDigest.ofCopy(
      from: scratch.path("source"), to: scratch.path("copy"), shouldStop: shouldStop)
  }

  /// An empty file, one segment, less than one piece of the copy, and several pieces.
  @Test(arguments: [0, 1000, 1 << 22, 9 << 20, 16 << 20, 40 << 20 + 7])
  func `a copy reports the digests of its bytes`(size: Int) throws {
    let bytes = patterned(size)
    let found = try copy(bytes)
    let segment = Int(SegmentMap.size)
    #expect(found.size.bytes == Int64(size))
    #expect(found.sha256 == DigestHasher.sha256(of: bytes))
    let segments = stride(from: 0, to: size, by: segment).map { start in
      DigestHasher.sha256(of: Array(bytes[start..<min(size, start + segment)]))
    }
    #expect(found.segments == segments)
  }

  @Test func `a stopped copy leaves neither a file nor a thread behind`() throws {
    #expect(throws: WorkEnded.interrupted) {
      try copy(patterned(40 << 20), shouldStop: { true })
    }
    #expect(try FileFacts.of(scratch.path("copy")) == nil)
  }

  // Regression: a reader took bytes that were announced later for the end of the file.
  @Test func `a reader waits for announced bytes`() throws {
    let growth = FileGrowth()
    let size = 9 << 20
    let bytes = patterned(size)
    try scratch.write("file", bytes)
    let path = scratch.path("file")
    let digest = BackgroundWork("test") {
      try withFile(path) { try FileDigest.of($0, withSegments: true, behind: growth) }
    }
    for end in stride(from: 0, through: size, by: 1 << 18) { growth.extend(to: Int64(end)) }
    growth.close()
    #expect(try digest.result().sha256 == DigestHasher.sha256(of: bytes))
  }

  @Test func `a reader of a file abandoned by its writer ends as interrupted`() throws {
    let growth = FileGrowth()
    try scratch.write("file", patterned(1000))
    growth.close(hasFailed: true)
    #expect(throws: WorkEnded.interrupted) {
      try withFile(scratch.path("file")) { try FileDigest.of($0, behind: growth) }
    }
  }
}
