import VmxLibrary
import VmxModel

// The bytes after the last complete segments have no digest yet when a process is killed. While
// they are written, each run of them gets a hash that grows with it. A later run compares the hash
// before it continues the bytes. If another program has changed the run, it is fetched again.

/// A hash of bytes that arrive in order, to find accidental changes; not cryptographic.
///
/// Its value does not depend on how the bytes were divided. It works on four words of eight bytes
/// in parallel, as xxHash does, since a digest of each checkpoint would cost as much as the digest
/// of the whole.
struct RollingDigest: Sendable, Equatable {
  private static let block = 32
  private static let primes: (UInt64, UInt64) = (0x9E37_79B1_85EB_CA87, 0xC2B2_AE3D_27D4_EB4F)

  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
  /// The last bytes, which fill no block yet.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  /// Adds bytes.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    count += UInt64(bytes.count)
    var bytes = bytes
    if !rest.isEmpty {
      let missing = min(bytes.count, Self.block - rest.count)
      rest += bytes.prefix(missing)
      bytes = UnsafeRawBufferPointer(rebasing: bytes[missing...])
      guard rest.count == Self.block else { return }
      rest.withUnsafeBytes { mix($0) }
      rest.removeAll(keepingCapacity: true)
    }
    let whole = bytes.count / Self.block * Self.block
    mix(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    rest += bytes[whole...]
  }

  /// The hash of all bytes so far.
  var value: UInt64 {
    var value = count
    for lane in [lanes.0, lanes.1, lanes.2, lanes.3] { value = Self.round(value, lane) }
    for byte in rest { value = Self.round(value, UInt64(byte)) }
    value ^= value >> 33
    value &*= Self.primes.1
    return value ^ value >> 29
  }

  private mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    var lanes = lanes
    for start in stride(from: 0, to: bytes.count, by: Self.block) {
      func word(_ position: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + position, as: UInt64.self))
      }
      lanes.0 = Self.round(lanes.0, word(0))
      lanes.1 = Self.round(lanes.1, word(8))
      lanes.2 = Self.round(lanes.2, word(16))
      lanes.3 = Self.round(lanes.3, word(24))
    }
    self.lanes = lanes
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let sum = lane &+ word &* primes.1
    return (sum << 31 | sum >> 33) &* primes.0
  }

  static func == (one: RollingDigest, other: RollingDigest) -> Bool { one.value == other.value }
}

/// The rolling digests of the runs of bytes outside segments that have a digest.
struct RollingDigests: Sendable {
  /// One run of bytes within a segment.
  private struct Run {
    let start: Int64
    var end: Int64
    var digest = RollingDigest()
  }

  private var runs: [Run] = []

  /// The runs as recorded.
  var recorded: [Int64: ResumeData.Rolling] {
    Dictionary(
      uniqueKeysWithValues: runs.map { ($0.start, .init(end: $0.end, hash: $0.digest.value)) })
  }

  /// Adds bytes that were written at an offset.
  mutating func didWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    var (rest, offset) = (bytes, offset)
    while !rest.isEmpty {
      let border = (offset / SegmentMap.size + 1) * SegmentMap.size
      let count = Int(min(Int64(rest.count), border - offset))
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<count])
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      let isStart = offset % SegmentMap.size == 0
      if let position = runs.firstIndex(where: { $0.end == offset }), !isStart {
        runs[position].digest.update(piece)
        runs[position].end += Int64(count)
      } else {
        runs.removeAll { $0.start == offset }
        var run = Run(start: offset, end: offset + Int64(count))
        run.digest.update(piece)
        runs.append(run)
      }
      offset += Int64(count)
    }
  }

  /// Forgets the runs in segments that have a digest now.
  mutating func discard(segments: [Int: Digest]) {
    runs.removeAll { segments[Int($0.start / SegmentMap.size)] != nil }
  }

  /// Forgets the runs that reach beyond an offset.
  mutating func discard(from offset: Int64) {
    runs.removeAll { $0.end > offset }
  }
}
