import Glibc
package import VmxModel

/// The size and digests of a file, computed in one pass.
package struct FileDigest: Sendable, Equatable {
  /// The number of bytes read.
  package let size: ByteCount
  /// The digest of the whole file.
  package let whole: Digest
  /// The digests of the segments of 4 MiB; empty unless requested.
  package let segments: [Digest]

  /// Computes the digests of an open file from its first byte to its end.
  ///
  /// - Parameters:
  ///   - descriptor: of the file, open for reading.
  ///   - withSegments: whether to compute the segment digests too, which hashes each byte twice.
  ///   - shouldStop: called before each MiB with the number of bytes read so far.
  /// - Throws: `WorkEnded.interrupted` if `shouldStop` returned true, `DigestError.unreadable`.
  package static func of(
    _ descriptor: Int32, algorithm: DigestAlgorithm = .sha256, withSegments: Bool = false,
    shouldStop: (ByteCount) -> Bool = { _ in false }
  ) throws -> FileDigest {
    let reader = PieceReader(descriptor)
    var whole = DigestHasher(algorithm)
    var segments = FileSegments(descriptor)
    var size: Int64 = 0
    while true {
      if shouldStop(ByteCount(clamping: size)) { throw WorkEnded.interrupted }
      let piece = try reader.read(at: size)
      whole.update(piece)
      size += Int64(piece.count)
      if withSegments { try segments.catchUp(with: size, isEnd: piece.isEmpty) }
      if piece.isEmpty { break }
    }
    return FileDigest(
      size: ByteCount(clamping: size), whole: whole.finish(), segments: segments.digests)
  }
}

/// Computes the segment digests of a file behind its reader, from the page cache, several segments
/// at a time.
private struct FileSegments {
  private static let size = SegmentMap.size

  private(set) var digests: [Digest] = []
  private let descriptor: Int32
  private var room: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Digests the complete segments before an offset once they form a group; at the end, all that
  /// remain.
  mutating func catchUp(with end: Int64, isEnd: Bool) throws(DigestError) {
    var start = Int64(digests.count) * Self.size
    guard isEnd || end - start >= Self.size * Int64(MultiBufferSHA256.count) else { return }
    var ranges: [FileRange] = []
    while end - start >= Self.size || isEnd && start < end {
      let length = min(Self.size, end - start)
      ranges.append(FileRange(descriptor, from: start, length: length))
      start += length
    }
    if room.isEmpty { room = [UInt8](repeating: 0, count: FileRange.bufferSize) }
    let found = room.withUnsafeMutableBytes { FileRange.digests(of: ranges, through: $0) }
    for outcome in found { digests.append(try outcome.get()) }
  }
}

/// A sequential reader of an open file in pieces.
struct PieceReader: ~Copyable {
  /// The number of bytes per read: large enough that the system calls cost nothing beside the
  /// digest.
  static let pieceSize = 1 << 20

  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pieceSize, alignment: 4096)

  /// Creates a reader of a descriptor, which must stay open as long as the reader.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Only advice: without it reading is merely slower.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { buffer.deallocate() }

  /// Returns the bytes at an offset, at most `limit`; empty at the end of the file.
  ///
  /// They are valid until the next read.
  func read(at offset: Int64, limit: Int64 = .max) throws(DigestError) -> UnsafeRawBufferPointer {
    let wanted = Int(min(limit, Int64(buffer.count)))
    while true {
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
      if count >= 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
      if errno != EINTR { throw .unreadable(offset: offset, errno: errno) }
    }
  }
}
