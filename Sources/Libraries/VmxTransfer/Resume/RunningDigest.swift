import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// The digest of a whole file while it is written.
///
/// The writing thread hashes a file of up to one segment from memory; a separate thread hashes a
/// larger one.
struct RunningDigest: ~Copyable {
  private let path: FilePath
  private var cursor = InOrderCursor()
  private var following: ReadBackDigest?
  /// Whether no thread could be started.
  private var isThreadless = false

  /// Creates a digest of the file at a path, without any bytes yet.
  init(of path: FilePath) {
    self.path = path
  }

  /// Whether any bytes have been hashed or a thread has been started.
  var hasStarted: Bool { following != nil || cursor.offset > 0 }

  /// Adds bytes that were written.
  ///
  /// - Parameter prefix: the offset of the file's first gap now.
  mutating func didWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int64, prefix: Int64) {
    if !startReadBack(to: prefix) { cursor.offer(bytes, at: offset) }
  }

  /// Adds all bytes before an offset, written by an earlier run.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of the file.
  ///   - shouldStop: called repeatedly; bytes not read are read later.
  mutating func catchUp(
    reading descriptor: FileDescriptor, to end: Int64, shouldStop: () -> Bool
  ) throws(DigestError) {
    if startReadBack(to: end) { return }
    try cursor.catchUp(reading: descriptor.rawValue, to: end, shouldStop: shouldStop)
  }

  /// Discards the digest if it includes bytes from an offset on, because they will change.
  mutating func discard(from offset: Int64) {
    if following != nil || cursor.offset > offset { reset() }
  }

  /// Restarts at the first byte.
  mutating func reset() {
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
    if startReadBack(to: length), let following {
      return try following.finish(at: length, shouldStop: shouldStop)
    }
    try cursor.catchUp(reading: descriptor.rawValue, to: length, shouldStop: shouldStop)
    return cursor.offset < length ? nil : cursor.finish()
  }

  /// Starts the read-back thread for a large file and lets it read up to an offset. Returns whether
  /// there is one.
  private mutating func startReadBack(to end: Int64) -> Bool {
    guard following != nil || end > SegmentMap.size, !isThreadless else { return false }
    if following == nil {
      do {
        following = try ReadBackDigest(path)
      } catch {
        isThreadless = true
        return false
      }
    }
    following?.extend(to: end)
    return true
  }
}

/// Hashes a whole file on its own thread while other threads write it.
///
/// It reads the bytes back from the page cache soon after they were written. A large file, whose
/// bytes are hashed twice, thus uses two cores and needs no extra buffer. The order of the bytes
/// does not matter. The thread ends when this object is released.
private final class ReadBackDigest: Sendable {
  private let progress = Monitor(ReadBackProgress())

  /// Begins to hash a file from its first byte. Bytes before the offset passed to `startReadBack`
  /// must not change.
  ///
  /// - Throws: `FileError` if the file cannot be opened, `ProcessError` if no thread can be
  ///   started.
  init(_ path: FilePath) throws {
    let work = ReadBackWork(try OpenFile(path, .readOnly), progress)
    _ = try WorkerThread.start("vmx-digest") { work.perform() }
  }

  deinit { progress.withLock { $0.isAbandoned = true } }

  /// Announces that all bytes before an offset are written.
  func extend(to end: Int64) {
    progress.withLock { $0.end = end }
  }

  /// Waits for the digest of all bytes before an offset, which are all written.
  ///
  /// `startReadBack` must not be called afterwards.
  ///
  /// - Parameter shouldStop: called ten times a second.
  /// - Returns: nil if `shouldStop` returned true.
  /// - Throws: `DigestError` if the bytes cannot be read back.
  func finish(at end: Int64, shouldStop: () -> Bool) throws(DigestError) -> Digest? {
    progress.withLock { progress in
      progress.end = end
      progress.isLast = true
    }
    while !progress.wait(milliseconds: 100, until: { $0.outcome != nil }) {
      if shouldStop() { return nil }
    }
    return try progress.withLock(\.outcome)?.get()
  }
}

/// The state shared with the thread: its position and its limit.
private struct ReadBackProgress {
  /// The number of bytes per read.
  static let pieceSize = 256 * 1024

  /// The offset before which all bytes are written.
  var end: Int64 = 0
  /// The number of bytes hashed.
  var offset: Int64 = 0
  /// Whether the end is final.
  var isLast = false
  var isAbandoned = false
  var outcome: Result<Digest, DigestError>?

  /// Whether there is enough work to wake the thread, or no more will come.
  var hasWork: Bool { isLast || isAbandoned || end - offset >= Self.pieceSize }
}

/// The work of the read-back thread.
private final class ReadBackWork: Sendable {
  private let file: OpenFile
  private let progress: Monitor<ReadBackProgress>

  init(_ file: consuming OpenFile, _ progress: Monitor<ReadBackProgress>) {
    self.file = file
    self.progress = progress
  }

  func perform() {
    var cursor = InOrderCursor()
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ReadBackProgress.pieceSize, alignment: 64)
    defer { buffer.deallocate() }
    do throws(DigestError) {
      while let end = end(after: cursor.offset) {
        guard cursor.offset < end else {
          let digest = cursor.finish()
          return progress.withLock { $0.outcome = .success(digest) }
        }
        try digestPieces(&cursor, through: buffer, to: end)
      }
    } catch {
      progress.withLock { $0.outcome = .failure(error) }
    }
  }

  /// Waits for work and returns the offset to read up to; nil if the digest is no longer needed. It
  /// equals `offset` at the end.
  private func end(after offset: Int64) -> Int64? {
    progress.withLock { $0.offset = offset }
    return progress.when({ $0.hasWork }) { $0.isAbandoned ? nil : $0.end }
  }

  private func digestPieces(
    _ cursor: inout InOrderCursor, through buffer: UnsafeMutableRawBufferPointer, to end: Int64
  ) throws(DigestError) {
    let wanted = Int(min(Int64(buffer.count), end - cursor.offset))
    let count: Int
    do throws(FileError) {
      count = try file.read(into: .init(rebasing: buffer[..<wanted]), at: cursor.offset)
    } catch {
      throw .unreadable(offset: cursor.offset, errno: error.errno?.rawValue ?? 0)
    }
    guard count > 0 else { throw .tooShort(expected: end, found: cursor.offset) }
    cursor.offer(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: cursor.offset)
  }
}
