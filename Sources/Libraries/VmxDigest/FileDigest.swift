package import VmxModel

/// What one pass over a file tells of its bytes.
package struct FileDigest: Sendable, Equatable {
  /// Bytes read.
  package let size: ByteCount
  /// Digest of the whole.
  package let whole: Digest
  /// Digests of the segments of 4 MiB; empty unless they were asked for.
  package let segments: [Digest]

  /// Digests an open file from its first byte to its end.
  ///
  /// - Parameters:
  ///   - descriptor: of the file, open for reading.
  ///   - withSegments: whether the segments are wanted too, which doubles the work.
  ///   - shouldStop: asked before each MiB with the number of bytes read so far.
  /// - Returns: nil if it was told to stop.
  /// - Throws: `DigestError.unreadable`.
  package static func of(
    _ descriptor: Int32, algorithm: DigestAlgorithm = .sha256, withSegments: Bool = false,
    shouldStop: (ByteCount) -> Bool = { _ in false }
  ) throws(DigestError) -> FileDigest? {
    let reader = PieceReader(descriptor)
    var whole = DigestHasher(algorithm)
    var segments = SegmentDigests()
    var size: Int64 = 0
    while true {
      if shouldStop(ByteCount(clamping: size)) { return nil }
      let piece = try reader.read(at: size)
      if piece.isEmpty { break }
      whole.update(piece)
      if withSegments { segments.update(piece) }
      size += Int64(piece.count)
    }
    return FileDigest(
      size: ByteCount(clamping: size), whole: whole.finish(),
      segments: withSegments ? segments.finish() : [])
  }
}
