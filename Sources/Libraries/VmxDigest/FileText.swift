import Glibc
package import VmxModel

/// A range of an open file, digested alone or in parallel with others.
package struct FileText: Sendable {
  /// The result for one file.
  package typealias Outcome = Result<Digest, DigestError>

  /// The number of bytes read from each file at a time; together they stay in the processor's
  /// cache.
  private static let piece = 32 << 10
  /// The buffer size in bytes for several files.
  package static let room = piece * MultiBufferSHA256.count

  private let descriptor: Int32
  private let start: Int64
  private let length: Int64

  /// Creates a range of the given length in a file that stays open; a shorter file is an error.
  package init(_ descriptor: Int32, from start: Int64 = 0, length: Int64) {
    self.descriptor = descriptor
    self.start = start
    self.length = length
  }

  /// Computes the SHA-256 of several file ranges of any lengths, in parallel where that is faster.
  ///
  /// - Parameters:
  ///   - files: at most `MultiBufferSHA256.count`.
  ///   - room: a buffer of `room` bytes.
  /// - Returns: the results in the order of the files; an error of one file does not affect the
  ///   others.
  package static func digests(
    of files: [FileText], through room: UnsafeMutableRawBufferPointer
  ) -> [Outcome] {
    guard MultiBufferSHA256.isWorthwhile, files.count >= MultiBufferSHA256.fewest else {
      return files.map { file in Outcome { () throws(DigestError) in try file.digest(room) } }
    }
    // An unused lane digests arbitrary data. Up to the end of the shortest range all are digested
    // together, from there each of the others alone.
    let shared = (files.map(\.length).min() ?? 0) / 64 * 64
    var problems = [DigestError?](repeating: nil, count: files.count)
    var lanes = MultiBufferSHA256()
    for offset in stride(from: 0, to: shared, by: piece) {
      let size = Int(min(Int64(piece), shared - offset))
      for (lane, file) in files.enumerated() where problems[lane] == nil {
        let part = UnsafeMutableRawBufferPointer(rebasing: room[lane * size..<(lane + 1) * size])
        do throws(DigestError) { try file.fill(part, at: offset) } catch { problems[lane] = error }
      }
      lanes.update(UnsafeRawBufferPointer(rebasing: room[..<(size * MultiBufferSHA256.count)]))
    }
    let texts = lanes.part()
    return files.indices.map { index in
      if let problem = problems[index] { return .failure(problem) }
      return Outcome { () throws(DigestError) in
        var text = texts[index]
        try files[index].read(from: shared, room) { text.update($0) }
        return text.finish()
      }
    }
  }

  /// Computes the SHA-256 of this range alone, by libcrypto.
  private func digest(_ room: UnsafeMutableRawBufferPointer) throws(DigestError) -> Digest {
    var hasher = SHA256Hasher()
    try read(from: 0, room) { hasher.update($0) }
    return hasher.finish()
  }

  private func read(
    from start: Int64, _ room: UnsafeMutableRawBufferPointer,
    _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(DigestError) {
    for offset in stride(from: start, to: length, by: room.count) {
      let size = Int(min(Int64(room.count), length - offset))
      let part = UnsafeMutableRawBufferPointer(rebasing: room[..<size])
      try fill(part, at: offset)
      take(UnsafeRawBufferPointer(part))
    }
  }

  private func fill(
    _ room: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(DigestError) {
    var done = 0
    while done < room.count {
      let place = start + offset + Int64(done)
      let count = pread(
        descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(place))
      if count == 0 { throw .tooShort(expected: start + length, found: place) }
      if count < 0, errno != EINTR { throw .unreadable(offset: place, errno: errno) }
      done += max(0, count)
    }
  }
}
