import SystemPackage
import VmxDigest
import VmxModel

/// The digest of a whole file while it is written: a file that may fit into one segment is digested
/// from memory by whoever writes it, a larger one by a thread of its own.
struct WholeDigest: ~Copyable {
  private let path: FilePath
  private var cursor = InOrderCursor()
  private var following: ReadBackDigest?
  /// Whether there was no thread to be had.
  private var isAlone = false

  /// A digest of nothing yet of the file at a path.
  init(of path: FilePath) {
    self.path = path
  }

  /// Whether something is digested, or is being digested.
  var isBegun: Bool { following != nil || cursor.offset > 0 }

  /// Takes note of bytes that were written.
  ///
  /// - Parameter prefix: where the first gap of the file is now.
  mutating func wrote(_ bytes: UnsafeRawBufferPointer, at offset: Int64, prefix: Int64) {
    if !follow(to: prefix) { cursor.offer(bytes, at: offset) }
  }

  /// Takes note of bytes that an earlier run wrote, all that there are before an offset.
  ///
  /// - Parameters:
  ///   - descriptor: of the file.
  ///   - shouldStop: asked now and then; what was not read is read later.
  mutating func catchUp(
    reading descriptor: FileDescriptor, to end: Int64, shouldStop: () -> Bool
  ) throws(DigestError) {
    if follow(to: end) { return }
    try cursor.catchUp(reading: descriptor.rawValue, to: end, shouldStop: shouldStop)
  }

  /// Forgets what is digested if there is something from an offset on that will be another.
  mutating func drop(from offset: Int64) {
    if following != nil || cursor.offset > offset { startOver() }
  }

  /// Begins at the first byte again.
  mutating func startOver() {
    cursor = InOrderCursor()
    following = nil
  }

  /// The digest of the bytes before an offset, all of which are written; reads back what it has not
  /// seen.
  ///
  /// - Returns: nil if it was to stop.
  mutating func finish(
    reading descriptor: FileDescriptor, at length: Int64, shouldStop: () -> Bool
  ) throws(DigestError) -> Digest? {
    if follow(to: length), let following {
      return try following.finish(at: length, shouldStop: shouldStop)
    }
    try cursor.catchUp(reading: descriptor.rawValue, to: length, shouldStop: shouldStop)
    return cursor.offset < length ? nil : cursor.finish()
  }

  /// Whether the file is digested by a thread of its own, which may now go up to an offset.
  private mutating func follow(to end: Int64) -> Bool {
    guard following != nil || end > SegmentMap.size, !isAlone else { return false }
    if following == nil {
      do {
        following = try ReadBackDigest(path)
      } catch {
        isAlone = true
        return false
      }
    }
    following?.follow(to: end)
    return true
  }
}
