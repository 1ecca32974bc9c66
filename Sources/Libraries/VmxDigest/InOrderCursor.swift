package import VmxModel

/// Makes the digest of a whole file whose bytes are written in any order.
///
/// Bytes that come in order are fed from memory. Those that come ahead of the cursor are left
/// where they were written and read back once what lies before them has come.
package struct InOrderCursor: ~Copyable {
  /// Offset of the next byte to be digested; all before it are.
  package private(set) var offset: Int64 = 0

  private var hasher: DigestHasher

  /// A cursor at the start of a file.
  package init(_ algorithm: DigestAlgorithm = .sha256) {
    hasher = DigestHasher(algorithm)
  }

  /// Offers bytes that belong at a place in the file; takes of them what follows the cursor.
  ///
  /// - Parameter place: offset in the file of the first of the bytes.
  /// - Returns: whether the cursor moved.
  @discardableResult
  package mutating func offer(_ bytes: UnsafeRawBufferPointer, at place: Int64) -> Bool {
    guard place <= offset, place + Int64(bytes.count) > offset else { return false }
    let fresh = bytes[(bytes.startIndex + Int(offset - place))...]
    hasher.update(UnsafeRawBufferPointer(rebasing: fresh))
    offset += Int64(fresh.count)
    return true
  }

  /// Offers bytes that belong at a place in the file; takes of them what follows the cursor.
  @discardableResult
  package mutating func offer(_ bytes: [UInt8], at place: Int64) -> Bool {
    bytes.withUnsafeBytes { offer($0, at: place) }
  }

  /// Reads back what was written ahead of the cursor.
  ///
  /// - Parameters:
  ///   - descriptor: of the file, open for reading.
  ///   - end: offset up to which all bytes are held; where the cursor is beyond, nothing is done.
  ///   - shouldStop: asked before each MiB; the cursor then stays where it is.
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

  /// The digest of the bytes before the cursor; the cursor then stands at the start again.
  package mutating func finish() -> Digest {
    offset = 0
    return hasher.finish()
  }
}
