package import VmxModel

/// Computes the digest of a whole file whose bytes are written in any order.
///
/// Bytes in order are hashed from memory. Bytes ahead of the cursor stay in the file and are read
/// back once the bytes before them have arrived.
package struct InOrderCursor: ~Copyable {
  /// The offset of the next byte to hash; all bytes before it are hashed.
  package private(set) var offset: Int64 = 0

  private var hasher: DigestHasher

  /// Creates a cursor at the start of a file.
  package init(_ algorithm: DigestAlgorithm = .sha256) {
    hasher = DigestHasher(algorithm)
  }

  /// Offers bytes at a position of the file; hashes those that directly follow the cursor.
  ///
  /// - Parameter position: offset in the file of the first of the bytes.
  /// - Returns: whether the cursor advanced.
  @discardableResult
  package mutating func offer(_ bytes: UnsafeRawBufferPointer, at position: Int64) -> Bool {
    guard position <= offset, position + Int64(bytes.count) > offset else { return false }
    let fresh = bytes[(bytes.startIndex + Int(offset - position))...]
    hasher.update(UnsafeRawBufferPointer(rebasing: fresh))
    offset += Int64(fresh.count)
    return true
  }

  /// Reads back and hashes bytes that were written ahead of the cursor.
  ///
  /// - Parameters:
  ///   - descriptor: of the file, open for reading.
  ///   - end: offset before which all bytes are present; does nothing if the cursor is beyond it.
  ///   - shouldStop: called before each MiB; true leaves the cursor at the current offset.
  /// - Throws: `DigestError.unreadable` or `.tooShort`.
  package mutating func catchUp(
    reading descriptor: Int32, to end: Int64, shouldStop: () -> Bool = { false }
  ) throws(DigestError) {
    guard offset < end else { return }
    let reader = PieceReader(descriptor)
    while offset < end, !shouldStop() {
      let piece = try reader.read(at: offset, limit: end - offset)
      if piece.isEmpty { throw .tooShort(expected: end, found: offset) }
      offer(piece, at: offset)
    }
  }

  /// Returns the digest of the bytes before the cursor, and resets the cursor to the start.
  package mutating func finish() -> Digest {
    offset = 0
    return hasher.finish()
  }
}
