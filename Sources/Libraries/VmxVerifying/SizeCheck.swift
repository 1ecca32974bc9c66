import Glibc
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// Of 100,000 files nearly all are as recorded. The threads that read the records also check those
// files, from the bytes of the record's line, and drop the records at once. No record is passed to
// another thread for that.

/// Skips the episodes whose files all exist with their recorded size. Used by one thread.
///
/// The marker of a root is read once for all consecutive files in it. After a root could not be
/// opened, no further episode is skipped; the workers then determine the cause.
final class SizeCheck {
  private let look: FileStatus
  private let intact: FileCounter
  private let shouldStop: @Sendable () -> Bool
  private var root: [UInt8] = []
  private var hold: VerifiedRoot?
  private var isBlind = false

  /// - Parameter intact: counts the files of the skipped episodes.
  init(look: FileStatus, counting intact: FileCounter, shouldStop: @escaping @Sendable () -> Bool) {
    self.look = look
    self.intact = intact
    self.shouldStop = shouldStop
  }

  /// Whether no file of the episode needs a report.
  func passesOver(_ outline: MediaFields) -> Bool {
    guard !isBlind, !shouldStop() else { return false }
    var count = 0
    var isAsRecorded = true
    outline.forEachPart { part in
      let state = part.state
      guard JudgedFile.expectsFile(state), let root = part.root, let path = part.path else {
        return true
      }
      isAsRecorded = state == .ready && part.isSound && isThere(path, in: root, part.size)
      count += 1
      return isAsRecorded
    }
    if isAsRecorded { intact.count(count) }
    return isAsRecorded
  }

  private func isThere(
    _ path: UnsafeBufferPointer<UInt8>, in root: UnsafeBufferPointer<UInt8>, _ size: ByteCount?
  ) -> Bool {
    guard holds(root), let folder = hold?.descriptor,
      let facts = FileFacts.ofSomething(at: path, below: folder), facts.isRegular
    else { return false }
    return size.map { $0.bytes == facts.size } ?? true
  }

  private func holds(_ uuid: UnsafeBufferPointer<UInt8>) -> Bool {
    if hold != nil, isRoot(uuid) { return true }
    root = Array(uuid)
    do {
      hold = try VerifiedRoot(look.mediaRoots.root(String(decoding: uuid, as: UTF8.self)))
    } catch {
      hold = nil
      isBlind = true
    }
    return !isBlind
  }

  private func isRoot(_ uuid: UnsafeBufferPointer<UInt8>) -> Bool {
    guard uuid.count == root.count, let start = uuid.baseAddress else { return false }
    return memcmp(root, start, uuid.count) == 0
  }
}
