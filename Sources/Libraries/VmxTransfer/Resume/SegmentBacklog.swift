import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

// Where a processor has wide registers and no instructions for SHA-256, eight segments take little
// longer than one. So segments that are whole wait there until they are eight, a second has passed
// or nothing comes, and are read back from the page cache together; whoever writes a part then
// spends a quarter of the time on them. What waits has no digest in the resume data yet: a power
// cut costs these segments as well, 32 MiB at most. An orderly end digests what waits.

/// Whole segments of a partial file whose digests are still to be made.
struct SegmentBacklog {
  /// How many are digested at once.
  private static let group = MultiBufferSHA256.count
  /// Milliseconds that one waits at most while others come.
  private static let longestWait: Int64 = 1000

  /// Their indices, in the order in which they became whole.
  private(set) var indices: [Int] = []

  /// When the first of them became whole.
  private var began: Int64 = 0

  /// Whether there are enough of them, or one has waited for long.
  var isDue: Bool {
    indices.count >= Self.group
      || !indices.isEmpty && MonotonicTime.now - began >= Self.longestWait
  }

  /// Indices in groups.
  static func groups(of indices: [Int]) -> [[Int]] {
    stride(from: 0, to: indices.count, by: group).map {
      Array(indices[$0..<min(indices.count, $0 + group)])
    }
  }

  /// Takes note of bytes that were written, with all that is held now.
  mutating func wrote(_ bytes: ByteRange, held: ByteRangeSet) {
    if indices.isEmpty { began = MonotonicTime.now }
    indices += Self.touched(by: bytes).filter {
      held.contains(SegmentMap.range($0)) && !indices.contains($0)
    }
  }

  /// Takes note of all that is held and has no digest, after an earlier run was killed.
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

  /// Forgets what reaches beyond an offset.
  mutating func drop(from offset: Int64) {
    indices.removeAll { SegmentMap.range($0).end > offset }
  }

  /// Hands out what waits.
  mutating func take() -> [Int] {
    defer { indices = [] }
    return indices
  }
}

extension OpenFile {
  /// The digests of whole segments, all of which are written, in the order of their indices; one
  /// alone is digested by libcrypto.
  ///
  /// - Parameter indices: a group at most.
  /// - Throws: `FileError`; also if the file ends before.
  borrowing func digests(ofSegments indices: [Int]) throws(FileError) -> [Digest] {
    let texts = indices.map { index in
      FileText(
        descriptor.rawValue, from: SegmentMap.range(index).start, length: SegmentMap.size)
    }
    var room = [UInt8](repeating: 0, count: FileText.room)
    let outcomes = room.withUnsafeMutableBytes { FileText.digests(of: texts, through: $0) }
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
  /// The kernel's number; a file that ends too early has lost what was written.
  fileprivate var errno: Errno {
    switch self {
    case .unreadable(_, let errno): Errno(rawValue: errno)
    case .tooShort: .ioError
    }
  }
}
