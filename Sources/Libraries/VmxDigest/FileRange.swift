import Glibc
package import VmxModel

/// A range of an open file, digested alone or in parallel with others.
package struct FileRange: Sendable {
  /// The result for one range.
  package typealias Outcome = Result<Digest, DigestError>

  /// The size in bytes of a buffer for several ranges; it stays in the processor's cache.
  package static let bufferSize = 256 << 10

  private let descriptor: Int32
  private let start: Int64
  private let length: Int64

  /// Creates a range of the given length in a file that stays open; a shorter file is an error.
  package init(_ descriptor: Int32, from start: Int64 = 0, length: Int64) {
    self.descriptor = descriptor
    self.start = start
    self.length = length
  }

  /// Computes the SHA-256 of several ranges of any lengths, in parallel if that is faster.
  ///
  /// - Parameters:
  ///   - ranges: at most `MultiBufferSHA256.count`.
  ///   - buffer: a buffer, preferably of `bufferSize` bytes.
  /// - Returns: the results in the order of the ranges; an error of one does not affect the others.
  package static func digests(
    of ranges: [FileRange], through buffer: UnsafeMutableRawBufferPointer
  ) -> [Outcome] {
    let group = parallel(ranges)
    let found = MultiBufferSHA256.digests(of: group.map { ranges[$0].length }, through: buffer) {
      text, room, offset throws(DigestError) in
      try ranges[group[text]].fill(room, at: offset)
    }
    let outcomes = Dictionary(uniqueKeysWithValues: zip(group, found))
    return ranges.indices.map { index in
      outcomes[index]
        ?? Outcome { () throws(DigestError) in try ranges[index].digest(through: buffer) }
    }
  }

  /// Returns the ranges for one multi-buffer pass. A pass takes as long as its longest range, so a
  /// range much longer than the others is left out.
  private static func parallel(_ ranges: [FileRange]) -> [Int] {
    var group = ranges.indices.sorted { ranges[$0].length < ranges[$1].length }
    var sum = ranges.reduce(0) { $0 + $1.length }
    while let longest = group.last, sum < ranges[longest].length * Int64(MultiBufferSHA256.minCount)
    {
      sum -= ranges[longest].length
      group.removeLast()
    }
    return group
  }

  /// Computes the SHA-256 of this range alone, by libcrypto.
  private func digest(
    through buffer: UnsafeMutableRawBufferPointer
  ) throws(DigestError) -> Digest {
    var hasher = SHA256Hasher()
    for offset in stride(from: 0, to: length, by: buffer.count) {
      let size = Int(min(Int64(buffer.count), length - offset))
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
      try fill(room, at: offset)
      hasher.update(UnsafeRawBufferPointer(room))
    }
    return hasher.finish()
  }

  private func fill(
    _ room: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DigestError) {
    var done = 0
    while done < room.count {
      let position = start + offset + Int64(done)
      let count = pread(
        descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(position))
      if count == 0 { throw .tooShort(expected: start + length, found: position) }
      if count < 0, errno != EINTR { throw .unreadable(offset: position, errno: errno) }
      done += max(0, count)
    }
  }
}
