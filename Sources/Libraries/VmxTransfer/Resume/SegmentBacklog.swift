import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

// On a processor with wide registers, eight segments are hashed faster together than one after
// another. Complete segments therefore wait until there are eight, a second has passed or no bytes
// arrive. They are then read back from the page cache together. Waiting segments have no digest in
// the resume data yet. A power loss costs these segments as well, 32 MiB at most. An orderly end
// hashes the waiting segments. On other processors each segment is read back at once.

/// The complete segments of a partial file that have no digest yet.
struct SegmentBacklog {
  /// The number of segments hashed at once.
  private static let group = MultiBufferSHA256.count
  /// The number of segments that have to wait before they are hashed.
  private static let due = MultiBufferSHA256.isFaster ? group : 1
  /// The longest wait of a segment while others arrive, in milliseconds.
  private static let maxWait: Int64 = 1000

  /// Their indices, in the order of completion.
  private(set) var indices: [Int] = []

  /// The time when the first of them was completed.
  private var began: Int64 = 0

  /// Whether a group is full, or a segment has waited long enough.
  var isDue: Bool {
    indices.count >= Self.due
      || !indices.isEmpty && Deadline.nowMilliseconds - began >= Self.maxWait
  }

  /// Splits indices into groups.
  static func groups(of indices: [Int]) -> [[Int]] {
    stride(from: 0, to: indices.count, by: group).map {
      Array(indices[$0..<min(indices.count, $0 + group)])
    }
  }

  /// Adds the segments that a write has completed, given all bytes held now.
  mutating func didWrite(_ bytes: ByteRange, held: ByteRangeSet) {
    if indices.isEmpty { began = Deadline.nowMilliseconds }
    indices += Self.touched(by: bytes).filter {
      held.contains(SegmentMap.range($0)) && !indices.contains($0)
    }
  }

  /// Adds all complete segments without a digest, after an earlier run was killed.
  mutating func wait(for held: ByteRangeSet, without digests: [Int: Digest]) {
    for range in held.ranges {
      indices += Self.touched(by: range).filter {
        digests[$0] == nil && held.contains(SegmentMap.range($0))
      }
    }
  }

  private static func touched(by bytes: ByteRange) -> ClosedRange<Int> {
    Int(bytes.start / SegmentMap.size)...Int((bytes.end - 1) / SegmentMap.size)
  }

  /// Removes the segments that reach beyond an offset.
  mutating func discard(from offset: Int64) {
    indices.removeAll { SegmentMap.range($0).end > offset }
  }

  /// Removes and returns all waiting segments.
  mutating func removeAll() -> [Int] {
    defer { indices = [] }
    return indices
  }
}

extension OpenFile {
  /// The digests of complete segments, in the order of their indices; a single one is hashed by
  /// libcrypto.
  ///
  /// - Parameter indices: one group at most.
  /// - Throws: `FileError`, also if the file ends too early.
  borrowing func digests(ofSegments indices: [Int]) throws(FileError) -> [Digest] {
    let ranges = indices.map { index in
      FileRange(
        descriptor.rawValue, from: SegmentMap.range(index).start, length: SegmentMap.size)
    }
    var buffer = [UInt8](repeating: 0, count: FileRange.bufferSize)
    let outcomes = buffer.withUnsafeMutableBytes { FileRange.digests(of: ranges, through: $0) }
    do throws(DigestError) {
      var digests: [Digest] = []
      for outcome in outcomes { digests.append(try outcome.get()) }
      return digests
    } catch {
      throw .failed(.read, path, error.errno)
    }
  }
}

extension DigestError {
  /// The errno; a file that ends too early has lost written bytes (EIO).
  fileprivate var errno: Errno {
    switch self {
    case .unreadable(_, let errno): Errno(rawValue: errno)
    case .tooShort: .ioError
    }
  }
}
