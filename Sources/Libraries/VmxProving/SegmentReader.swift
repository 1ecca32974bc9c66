import SystemPackage
import VmxDigest
import VmxJobs
import VmxModel
import VmxSystem

/// Reads stretches of files and digests them, with one small buffer that stays in the processor's
/// own memory.
struct SegmentReader: ~Copyable {
  private static let room = 256 << 10

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 4096)
  private var hasher = DigestHasher()
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
        _ = hasher.finish()
        return nil
      }
      let room = Int(min(Int64(buffer.count), start + length - offset))
      let count: Int
      do throws(FileError) {
        count = try file.read(into: .init(rebasing: buffer[..<room]), at: offset)
      } catch {
        // What was fed belongs to no digest.
        _ = hasher.finish()
        throw error
      }
      if count == 0 { break }
      hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
      if offset % SegmentList.segmentSize == 0 { release(to: offset) }
    }
    release(to: offset)
    return hasher.finish()
  }
}

/// How many segments one worker takes of a file at once: enough that disks read in long stretches.
enum SegmentRun {
  static let length = 4
  static let bytes = Int64(length) << 22
}
