import Glibc

/// Reads an open file from front to back in pieces.
struct PieceReader: ~Copyable {
  /// Bytes read at once: enough that the calls cost nothing beside the digest.
  static let pieceSize = 1 << 20

  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pieceSize, alignment: 4096)

  /// A reader of a descriptor that stays open as long as it.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    // Advice only: where it is not taken, reading is merely slower.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { buffer.deallocate() }

  /// The bytes at an offset, `limit` at most; none at the end of the file.
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
