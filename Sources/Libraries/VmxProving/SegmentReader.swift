import SystemPackage
import VmxDigest
import VmxJobs
import VmxModel
import VmxSystem

/// Reads stretches of files and digests them, with one small buffer that stays in the processor's
/// own memory.
struct SegmentReader: ~Copyable {
  private static let room = 512 << 10

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 4096)
  private var hasher = DigestHasher()
  private var segmentHasher = DigestHasher()
  private let shouldStop: @Sendable () -> Bool

  /// - Parameter shouldStop: asked before each piece.
  init(shouldStop: @escaping @Sendable () -> Bool) {
    self.shouldStop = shouldStop
  }

  deinit { buffer.deallocate() }

  /// SHA-256 of so many bytes of a file, fewer where it ends before; nil if it was told to stop.
  ///
  /// - Parameters:
  ///   - start: offset of the first byte; that of a segment.
  ///   - resident: what lay in the page cache before; the rest is let go of on the way.
  mutating func digest(
    of file: borrowing OpenFile, from start: Int64, _ length: Int64, _ resident: ResidentPieces
  ) throws(FileError) -> Digest? {
    var segments: [Digest]?
    return try digest(of: file, from: start, length, resident, &segments)
  }

  /// The same, with the digests of its segments, where a list to append them to is given.
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

  /// Forgets what was fed and belongs to no digest.
  private mutating func forget() {
    _ = hasher.finish()
    _ = segmentHasher.finish()
  }

  /// SHA-256 of each of so many whole segments, read side by side; nil if it was told to stop, or
  /// if they could not all be read, which is then to be found out one by one.
  ///
  /// - Parameter run: as many segments as there are lanes, each whole.
  mutating func digests(
    of file: borrowing OpenFile, _ run: Range<Int>, _ resident: ResidentPieces
  ) -> [Digest]? {
    let segment = SegmentList.segmentSize
    let piece = buffer.count / MultiBufferSHA256.count
    var lanes = MultiBufferSHA256()
    beginReading(
      file.descriptor, from: Int64(run.lowerBound) * segment, Int64(run.count) * segment)
    for offset in stride(from: 0, to: segment, by: piece) {
      if shouldStop() { return nil }
      for (lane, number) in run.enumerated() {
        let room = UnsafeMutableRawBufferPointer(
          rebasing: buffer[lane * piece..<(lane + 1) * piece])
        do throws(FileError) {
          let count = try file.read(into: room, at: Int64(number) * segment + offset)
          guard count == piece else { return nil }
        } catch {
          return nil
        }
      }
      lanes.update(UnsafeRawBufferPointer(buffer))
    }
    resident.release(run, of: file.descriptor)
    return lanes.finish()
  }
}

/// How many segments one worker takes of a file at once: enough that disks read in long stretches.
enum SegmentRun {
  static let length = MultiBufferSHA256.count
  static let bytes = Int64(length) << 22
}
