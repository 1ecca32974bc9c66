import Glibc
package import SystemPackage
package import VmxModel
package import VmxSystem

/// The size and digests of a file, computed in one pass.
package struct FileDigest: Sendable, Equatable {
  /// The number of bytes read.
  package let size: ByteCount
  /// The SHA-256 of the whole file.
  package let sha256: Digest
  /// The digests of the segments of 4 MiB; empty unless requested.
  package let segments: [Digest]

  /// Computes the digests of an open file from its first byte to its end.
  ///
  /// The segments of a file with several are digested on a separate thread, behind the reader.
  ///
  /// - Parameters:
  ///   - descriptor: of the file, open for reading.
  ///   - withSegments: whether to compute the segment digests too, which hashes each byte twice.
  ///   - writer: the progress of a file that is being written; nil for a file that is whole.
  ///   - shouldStop: called before each MiB with the number of bytes read so far.
  /// - Throws: `WorkEnded.interrupted` if `shouldStop` returned true or the writer has failed,
  ///   `DigestError.unreadable`.
  package static func of(
    _ descriptor: Int32, withSegments: Bool = false,
    behind writer: FileGrowth? = nil, shouldStop: (ByteCount) -> Bool = { _ in false }
  ) throws -> FileDigest {
    let reader = PieceReader(descriptor, isGrowing: writer != nil)
    var whole = DigestHasher()
    let progress = FileGrowth()
    var segments: BackgroundWork<[Digest]>?
    var size: Int64 = 0
    do {
      while true {
        if shouldStop(ByteCount(clamping: size)) { throw WorkEnded.interrupted }
        let end = try writer?.wait(beyond: size) ?? .max
        let piece = try reader.read(at: size, limit: end - size)
        if piece.isEmpty { break }
        whole.update(piece)
        size += Int64(piece.count)
        guard withSegments, size > SegmentMap.size else { continue }
        progress.extend(to: size)
        if segments == nil {
          segments = BackgroundWork("vmx-segments") {
            try segmentDigests(of: descriptor, behind: progress)
          }
        }
      }
    } catch {
      progress.close(hasFailed: true)
      segments?.wait()
      throw error
    }
    progress.close()
    let digest = whole.finish()
    // A file of one segment has the digest of the whole.
    let only = withSegments && size > 0 ? [digest] : []
    return FileDigest(
      size: ByteCount(clamping: size), sha256: digest, segments: try segments?.result() ?? only)
  }

  /// Returns the SHA-256 of the file at a path.
  ///
  /// - Parameter shouldStop: called before each MiB.
  /// - Throws: `WorkEnded.interrupted` if `shouldStop` returned true, `FileError`,
  ///   `DigestError.unreadable`.
  package static func sha256(
    of path: FilePath, shouldStop: () -> Bool = { false }
  ) throws -> Digest {
    try withFile(path) { try of($0) { _ in shouldStop() }.sha256 }
  }

  /// Digests the segments of a file behind its reader, from the page cache, several at a time if
  /// that is faster.
  private static func segmentDigests(
    of descriptor: Int32, behind reader: FileGrowth
  ) throws -> [Digest] {
    let group = MultiBufferSHA256.isFaster ? MultiBufferSHA256.count : 1
    var digests: [Digest] = []
    var room = [UInt8](repeating: 0, count: FileRange.bufferSize)
    while true {
      var start = Int64(digests.count) * SegmentMap.size
      let next = start + Int64(group) * SegmentMap.size
      let end = min(next, try reader.wait(beyond: next - 1))
      var ranges: [FileRange] = []
      while start < end {
        let length = min(SegmentMap.size, end - start)
        ranges.append(FileRange(descriptor, from: start, length: length))
        start += length
      }
      let found = room.withUnsafeMutableBytes { FileRange.digests(of: ranges, through: $0) }
      for outcome in found { digests.append(try outcome.get()) }
      if end < next { return digests }
    }
  }
}

/// A sequential reader of an open file in pieces.
struct PieceReader: ~Copyable {
  /// The number of bytes per read: so large that the cost of system calls is negligible.
  static let pieceSize = 1 << 20
  private static let smallSize = 16 << 10

  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer

  /// Creates a reader of a descriptor, which must stay open as long as the reader.
  ///
  /// - Parameter isGrowing: whether the file is still being written. Else a small one gets a small
  ///   buffer: pages of memory cost more than its bytes.
  init(_ descriptor: Int32, isGrowing: Bool = false) {
    self.descriptor = descriptor
    var facts = stat()
    let isSmall = !isGrowing && fstat(descriptor, &facts) == 0 && facts.st_size < Self.smallSize
    buffer = .allocate(byteCount: isSmall ? Self.smallSize : Self.pieceSize, alignment: 4096)
    // Only advice: without it reading is merely slower.
    if !isSmall { _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
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
