import SystemPackage
import VmxDigest
import VmxModel

/// The digest of a whole file while it is written.
///
/// The writing thread hashes a file of up to one segment from memory; a separate thread hashes a
/// larger one.
struct WholeDigest: ~Copyable {
  private let path: FilePath
  private var cursor = InOrderCursor()
  private var following: ReadBackDigest?
  /// Whether no thread could be started.
  private var isAlone = false

  /// Creates a digest of the file at a path, without any bytes yet.
  init(of path: FilePath) {
    self.path = path
  }

  /// Whether any bytes have been hashed or a thread has been started.
  var isBegun: Bool { following != nil || cursor.offset > 0 }

  /// Adds bytes that were written.
  ///
  /// - Parameter prefix: the offset of the file's first gap now.
  mutating func wrote(_ bytes: UnsafeRawBufferPointer, at offset: Int64, prefix: Int64) {
    if !follow(to: prefix) { cursor.offer(bytes, at: offset) }
  }

  /// Adds all bytes before an offset, written by an earlier run.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of the file.
  ///   - shouldStop: called repeatedly; bytes not read are read later.
  mutating func catchUp(
    reading descriptor: FileDescriptor, to end: Int64, shouldStop: () -> Bool
  ) throws(DigestError) {
    if follow(to: end) { return }
    try cursor.catchUp(reading: descriptor.rawValue, to: end, shouldStop: shouldStop)
  }

  /// Discards the digest if it includes bytes from an offset on, because they will change.
  mutating func drop(from offset: Int64) {
    if following != nil || cursor.offset > offset { startOver() }
  }

  /// Restarts at the first byte.
  mutating func startOver() {
    cursor = InOrderCursor()
    following = nil
  }

  /// Returns the digest of the bytes before an offset, which are all written; reads back those not
  /// hashed yet.
  ///
  /// - Returns: nil if `shouldStop` returned true.
  mutating func finish(
    reading descriptor: FileDescriptor, at length: Int64, shouldStop: () -> Bool
  ) throws(DigestError) -> Digest? {
    if follow(to: length), let following {
      return try following.finish(at: length, shouldStop: shouldStop)
    }
    try cursor.catchUp(reading: descriptor.rawValue, to: length, shouldStop: shouldStop)
    return cursor.offset < length ? nil : cursor.finish()
  }

  /// Starts the read-back thread for a large file and lets it read up to an offset. Returns whether
  /// there is one.
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
