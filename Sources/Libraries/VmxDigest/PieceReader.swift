import Glibc

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
