import Synchronization
import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A file whose segments are verified in parallel by all idle workers.
final class SegmentVerification: Sendable {
  let item: VerificationItem
  let root: MediaRoot
  let file: OpenFile
  let size: Int64
  /// Whether the sidecar lacks anything other than the segment digests.
  let isOutdated: Bool
  private let list: [Digest]
  private let claim: Claim
  private let resident: ResidentPieces
  private let state = Mutex(State())

  /// The number of segments that a worker claims at once, so that disks read long sequential
  /// ranges.
  static let rangeLength = MultiBufferSHA256.count

  private struct State {
    var next = 0
    var ended = 0
    var mismatched: [Int] = []
    var problem: FileError?
    var isAbandoned = false
  }

  /// The combined result of all segments.
  enum End {
    case intact
    /// These segments differ from the sidecar's list, or could not be read.
    case mismatch([Int], FileError?)
    /// The run was cancelled.
    case abandoned
  }

  /// - Parameters:
  ///   - sidecar: contains the digests of the segments.
  ///   - claim: released by `releaseClaim`, or when the last worker drops its reference to this
  ///     object.
  init(
    _ item: VerificationItem, in root: MediaRoot, _ file: consuming OpenFile, size: Int64,
    against sidecar: SidecarStatus, claim: Claim
  ) {
    self.item = item
    self.root = root
    self.size = size
    self.claim = claim
    list = sidecar.segments ?? []
    isOutdated = !sidecar.isCurrent
    resident = ResidentPieces(of: file, size: size, pieceSize: SegmentMap.size)
    self.file = file
  }

  /// Releases the claim before the result is reported. A `vmx fetch --repair` that reads the result
  /// from a pipe claims the episode at once.
  func releaseClaim() { claim.release() }

  /// The number of segments.
  var count: Int { list.count }

  /// Returns the next range of segments that no worker has started; nil if none is left.
  func nextRange() -> Range<Int>? {
    state.withLock { state in
      guard state.next < list.count, !state.isAbandoned else { return nil }
      let range = state.next..<min(list.count, state.next + Self.rangeLength)
      state.next = range.upperBound
      return range
    }
  }

  /// Verifies a range of segments. Returns the combined result if this was the last range, else
  /// nil.
  func verify(_ range: Range<Int>, _ reader: inout SegmentReader) -> End? {
    if let wrong = mismatchedInParallel(range, &reader) { return ended(range, wrong: wrong) }
    var wrong: [Int] = []
    var problem: FileError?
    var isStopped = false
    for segment in range where !isStopped {
      let start = Int64(segment) * SegmentMap.size
      do throws(FileError) {
        let length = min(SegmentMap.size, size - start)
        let found = try reader.digest(of: file, from: start, length, resident)
        isStopped = found == nil
        if found?.sha256 != list[segment] { wrong.append(segment) }
      } catch {
        wrong.append(segment)
        problem = error
      }
    }
    return ended(range, wrong: wrong, problem: problem, isStopped: isStopped)
  }

  /// Returns the segments of a range that are wrong, from one multi-buffer SHA-256 pass; nil if the
  /// range does not allow such a pass.
  private func mismatchedInParallel(_ range: Range<Int>, _ reader: inout SegmentReader) -> [Int]? {
    guard MultiBufferSHA256.isFaster, range.count == MultiBufferSHA256.count,
      Int64(range.upperBound) * SegmentMap.size <= size,
      let found = reader.digests(of: file, range, resident)
    else { return nil }
    return zip(range, found).filter { list[$0] != $1 }.map(\.0)
  }

  private func ended(
    _ range: Range<Int>, wrong: [Int], problem: FileError? = nil, isStopped: Bool = false
  ) -> End? {
    state.withLock { state in
      state.ended += range.count
      state.mismatched += wrong
      state.problem = state.problem ?? problem
      state.isAbandoned = state.isAbandoned || isStopped
      guard state.isAbandoned ? state.ended == state.next : state.ended == list.count else {
        return nil
      }
      if state.isAbandoned { return .abandoned }
      return state.mismatched.isEmpty
        ? .intact : .mismatch(state.mismatched.sorted(), state.problem)
    }
  }

  /// Returns the digests of the whole file and of its segments; nil if the run was cancelled.
  func digest(_ reader: inout SegmentReader) throws(FileError) -> SegmentReader.Digests? {
    try reader.digest(of: file, from: 0, size, resident, withSegments: true)
  }
}

/// Reads ranges of files and computes their digests, through one buffer of 512 KiB that fits into
/// the cache of the processor.
struct SegmentReader: ~Copyable {
  private static let bufferSize = 512 << 10
  /// The number of bytes that are requested from the disk before the first read.
  private static let readAhead =
    Int64(SegmentVerification.rangeLength) * SegmentMap.size

  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bufferSize, alignment: 4096)
  private var hasher = DigestHasher()
  private var segmentHasher = DigestHasher()
  private let progress: @Sendable (Int) -> Void
  private let shouldStop: @Sendable () -> Bool

  /// - Parameters:
  ///   - progress: called with the number of bytes of each read.
  ///   - shouldStop: called before each read.
  init(
    progress: @escaping @Sendable (Int) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.progress = progress
    self.shouldStop = shouldStop
  }

  deinit { buffer.deallocate() }

  /// The digests of a range of a file.
  struct Digests {
    let sha256: Digest
    /// The digests of its segments; empty unless requested.
    let segments: [Digest]
  }

  /// Returns the SHA-256 of a range of a file, which is shorter if the file ends first; nil if the
  /// run was cancelled.
  ///
  /// - Parameters:
  ///   - start: the offset of the first byte; the start of a segment.
  ///   - resident: the pages that were in the page cache before the read; all others are released
  ///     after it.
  mutating func digest(
    of file: borrowing OpenFile, from start: Int64, _ length: Int64, _ resident: ResidentPieces,
    withSegments: Bool = false
  ) throws(FileError) -> Digests? {
    var segments: [Digest] = []
    beginReading(file.descriptor, from: start, min(length, Self.readAhead))
    var offset = start
    var released = Int(start / SegmentMap.size)
    func release(to end: Int64) {
      let passed = Int((end + SegmentMap.size - 1) / SegmentMap.size)
      guard passed > released else { return }
      resident.release(released..<passed, of: file.descriptor)
      released = passed
    }
    while offset < start + length {
      if shouldStop() {
        reset()
        return nil
      }
      let room = Int(min(Int64(buffer.count), start + length - offset))
      let count: Int
      do throws(FileError) {
        count = try file.read(into: .init(rebasing: buffer[..<room]), at: offset)
      } catch {
        reset()
        throw error
      }
      if count == 0 { break }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hasher.update(piece)
      if withSegments { segmentHasher.update(piece) }
      progress(count)
      offset += Int64(count)
      if offset % SegmentMap.size == 0 {
        if withSegments { segments.append(segmentHasher.finish()) }
        release(to: offset)
      }
    }
    release(to: offset)
    if withSegments, offset % SegmentMap.size != 0 {
      segments.append(segmentHasher.finish())
    }
    return Digests(sha256: hasher.finish(), segments: segments)
  }

  /// Resets both hashers after an incomplete read.
  private mutating func reset() {
    _ = hasher.finish()
    _ = segmentHasher.finish()
  }

  /// Returns the SHA-256 of each segment of a range, computed in one multi-buffer pass.
  ///
  /// Nil if the run was cancelled or a segment could not be read; the caller then reads the
  /// segments one by one.
  ///
  /// - Parameter range: as many whole segments as the hasher has lanes.
  mutating func digests(
    of file: borrowing OpenFile, _ range: Range<Int>, _ resident: ResidentPieces
  ) -> [Digest]? {
    let segment = SegmentMap.size
    guard !shouldStop() else { return nil }
    beginReading(
      file.descriptor, from: Int64(range.lowerBound) * segment, Int64(range.count) * segment)
    let ranges = range.map {
      FileRange(file.descriptor.rawValue, from: Int64($0) * segment, length: segment)
    }
    let outcomes = FileRange.digests(of: ranges, through: buffer)
    resident.release(range, of: file.descriptor)
    let found = outcomes.compactMap { outcome -> Digest? in
      if case .success(let digest) = outcome { return digest }
      return nil
    }
    guard found.count == range.count else { return nil }
    progress(range.count * Int(segment))
    return found
  }
}
