import SystemPackage
import VmxDigest
import VmxModel
import VmxSystem

/// Digests a whole file on a thread of its own while others write it.
///
/// It reads back from the page cache what was written a moment ago. So a large file, whose bytes
/// are digested twice, keeps two cores busy, no buffer is held for it, and the order in which the
/// bytes came does not matter. Let go of, it ends by itself.
final class ReadBackDigest: Sendable {
  private let progress = Monitor(ReadBackProgress())

  /// Begins to digest a file from its first byte; no byte may change once it was followed.
  ///
  /// - Throws: `FileError` if it cannot be opened, `ProcessError` where no thread can be had.
  init(_ path: FilePath) throws {
    let work = ReadBackWork(try OpenFile(path, .readOnly), progress)
    _ = try WorkerThread.start("vmx-digest") { work.perform() }
  }

  deinit { progress.withLock { $0.isGivenUp = true } }

  /// Tells that all bytes before an offset are written.
  func follow(to end: Int64) {
    progress.withLock { $0.end = end }
  }

  /// The digest of all bytes before an offset, all of which are written; waits until it is made.
  ///
  /// Nothing may be followed afterwards.
  ///
  /// - Parameter shouldStop: asked ten times a second.
  /// - Returns: nil if it was to stop.
  /// - Throws: `DigestError` if they cannot be read back.
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

/// How far a following digest has come, and how far it may go.
private struct ReadBackProgress {
  /// Bytes read at once.
  static let pieceSize = 256 * 1024

  /// All bytes before it are written.
  var end: Int64 = 0
  /// Bytes digested.
  var offset: Int64 = 0
  /// Nothing comes behind the end.
  var isLast = false
  var isGivenUp = false
  var outcome: Result<Digest, DigestError>?

  /// Whether there is enough to do to be woken for it, or there never will be more.
  var isWorkable: Bool { isLast || isGivenUp || end - offset >= Self.pieceSize }
}

/// What the thread of a following digest does.
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
        try feed(&cursor, through: buffer, to: end)
      }
    } catch {
      progress.withLock { $0.outcome = .failure(error) }
    }
  }

  /// How far to go next: no further than the offset once nothing more comes; nil if it is given up.
  private func end(after offset: Int64) -> Int64? {
    progress.withLock { $0.offset = offset }
    return progress.when({ $0.isWorkable }) { $0.isGivenUp ? nil : $0.end }
  }

  private func feed(
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
