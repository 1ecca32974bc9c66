package import VmxModel

/// Digests of the segments of a file, made while its bytes come in order.
///
/// A segment is 4 MiB, the last one what is left. They let a resumed fetch trust what is on the
/// disk segment by segment; they do not add up to the digest of the whole.
package struct SegmentDigests: ~Copyable {
  /// Bytes in every segment but the last.
  package static let segmentSize: Int64 = 4 << 20

  /// Index of the segment in which this began.
  package let firstIndex: Int
  /// Digests of the whole segments from `firstIndex` on.
  package private(set) var completed: [Digest]
  /// Offset of the next byte it takes.
  package private(set) var offset: Int64

  private var hasher = DigestHasher()

  /// Begins at the start of a segment, or goes on behind segments digested before.
  ///
  /// - Parameters:
  ///   - firstIndex: index of the segment to begin in.
  ///   - completed: digests of the segments from there on that need not be fed again.
  package init(firstIndex: Int = 0, resuming completed: [Digest] = []) {
    self.firstIndex = firstIndex
    self.completed = completed
    offset = Int64(firstIndex + completed.count) * Self.segmentSize
  }

  /// Feeds the bytes at `offset`.
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

  /// Feeds the bytes at `offset`.
  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The digests of all segments, the last one perhaps shorter; nothing may be fed afterwards.
  package mutating func finish() -> [Digest] {
    if offset % Self.segmentSize != 0 { completed.append(hasher.finish()) }
    return completed
  }
}
