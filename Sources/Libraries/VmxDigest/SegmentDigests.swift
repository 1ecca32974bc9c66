package import VmxModel

/// Computes the digests of a file's segments while its bytes arrive in order.
///
/// A segment has 4 MiB, the last one the remaining bytes. A resumed fetch uses them to verify the
/// bytes on disk segment by segment. They cannot be combined to the digest of the whole.
package struct SegmentDigests: ~Copyable {
  /// The number of bytes in every segment but the last.
  package static let segmentSize: Int64 = 4 << 20

  /// The index of the first segment.
  package let firstIndex: Int
  /// The digests of the complete segments from `firstIndex` on.
  package private(set) var completed: [Digest]
  /// The offset of the next byte to append.
  package private(set) var offset: Int64

  private var hasher = DigestHasher()

  /// Starts at the beginning of a segment, or resumes after segments digested before.
  ///
  /// - Parameters:
  ///   - firstIndex: index of the first segment.
  ///   - completed: digests of the following segments that need not be computed again.
  package init(firstIndex: Int = 0, resuming completed: [Digest] = []) {
    self.firstIndex = firstIndex
    self.completed = completed
    offset = Int64(firstIndex + completed.count) * Self.segmentSize
  }

  /// Appends the bytes at `offset`.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let room = Self.segmentSize - offset % Self.segmentSize
      let piece = rest.prefix(Int(min(room, Int64(rest.count))))
      hasher.update(UnsafeRawBufferPointer(rebasing: piece))
      offset += Int64(piece.count)
      if Int64(piece.count) == room { completed.append(hasher.finish()) }
      rest = rest.dropFirst(piece.count)
    }
  }

  /// Appends the bytes at `offset`.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Returns the digests of all segments, the last one possibly shorter; no input may follow.
  package mutating func finish() -> [Digest] {
    if offset % Self.segmentSize != 0 { completed.append(hasher.finish()) }
    return completed
  }
}
