import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

/// Reads ranges of files and computes their digests, through one buffer of 512 KiB that fits into
/// the cache of the processor.
struct SegmentReader: ~Copyable {
  private static let room = 512 << 10

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 4096)
  private var hasher = DigestHasher()
  private var segmentHasher = DigestHasher()
  private let shouldStop: @Sendable () -> Bool

  /// - Parameter shouldStop: called before each read.
  init(shouldStop: @escaping @Sendable () -> Bool) {
    self.shouldStop = shouldStop
  }

  deinit { buffer.deallocate() }

  /// Returns the SHA-256 of a range of a file, which is shorter if the file ends first; nil if the
  /// run was cancelled.
  ///
  /// - Parameters:
  ///   - start: the offset of the first byte; the start of a segment.
  ///   - resident: the pages that were in the page cache before; all others are released after the
  ///     read.
  mutating func digest(
    of file: borrowing OpenFile, from start: Int64, _ length: Int64, _ resident: ResidentPieces
  ) throws(FileError) -> Digest? {
    var segments: [Digest]?
    return try digest(of: file, from: start, length, resident, &segments)
  }

  /// The same, and appends the digests of the segments to the list if one is given.
  mutating func digest(
    of file: borrowing OpenFile, from start: Int64, _ length: Int64, _ resident: ResidentPieces,
    _ segments: inout [Digest]?
  ) throws(FileError) -> Digest? {
    beginReading(file.descriptor, from: start, min(length, SegmentRun.bytes))
    var offset = start
    var released = Int(start / SegmentList.segmentSize)
    func release(to end: Int64) {
      let passed = Int((end + SegmentList.segmentSize - 1) / SegmentList.segmentSize)
      guard passed > released else { return }
      resident.release(released..<passed, of: file.descriptor)
      released = passed
    }
    while offset < start + length {
      if shouldStop() {
        forget()
        return nil
      }
      let room = Int(min(Int64(buffer.count), start + length - offset))
      let count: Int
      do throws(FileError) {
        count = try file.read(into: .init(rebasing: buffer[..<room]), at: offset)
      } catch {
        forget()
        throw error
      }
      if count == 0 { break }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hasher.update(piece)
      if segments != nil { segmentHasher.update(piece) }
      offset += Int64(count)
      if offset % SegmentList.segmentSize == 0 {
        segments?.append(segmentHasher.finish())
        release(to: offset)
      }
    }
    release(to: offset)
    if offset % SegmentList.segmentSize != 0 { segments?.append(segmentHasher.finish()) }
    return hasher.finish()
  }

  /// Resets both hashers after an incomplete read.
  private mutating func forget() {
    _ = hasher.finish()
    _ = segmentHasher.finish()
  }

  /// Returns the SHA-256 of each segment of a range, computed in one multi-buffer pass.
  ///
  /// Nil if the run was cancelled or a segment could not be read; the caller then reads the
  /// segments one by one.
  ///
  /// - Parameter run: as many whole segments as the hasher has lanes.
  mutating func digests(
    of file: borrowing OpenFile, _ run: Range<Int>, _ resident: ResidentPieces
  ) -> [Digest]? {
    let segment = SegmentList.segmentSize
    guard !shouldStop() else { return nil }
    beginReading(
      file.descriptor, from: Int64(run.lowerBound) * segment, Int64(run.count) * segment)
    let ranges = run.map {
      FileRange(file.descriptor.rawValue, from: Int64($0) * segment, length: segment)
    }
    let outcomes = FileRange.digests(of: ranges, through: buffer)
    resident.release(run, of: file.descriptor)
    let found = outcomes.compactMap { outcome -> Digest? in
      if case .success(let digest) = outcome { return digest }
      return nil
    }
    return found.count == run.count ? found : nil
  }
}

/// The number of segments that a worker takes at once, so that disks read long sequential ranges.
enum SegmentRun {
  static let length = MultiBufferSHA256.count
  static let bytes = Int64(length) << 22
}
