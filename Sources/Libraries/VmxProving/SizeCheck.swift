import Glibc
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

// Of a hundred thousand files nearly all are as recorded. They are looked at by the threads that
// read the records, by the bytes of the lines themselves, and forgotten there: no other thread need
// hear of them.

/// Passes over the episodes whose files are all there with their size; for one thread.
///
/// The mark of a root is read once for all files that follow each other in it. Once a root cannot be
/// held, whatever follows is left for others, who find out why.
final class SizeCheck {
  private let look: FileStatus
  private let intact: FileCounter
  private let shouldStop: @Sendable () -> Bool
  private var root: [UInt8] = []
  private var hold: VerifiedRoot?
  private var isBlind = false

  /// - Parameter intact: counts the files of what is passed over.
  init(look: FileStatus, counting intact: FileCounter, shouldStop: @escaping @Sendable () -> Bool) {
    self.look = look
    self.intact = intact
    self.shouldStop = shouldStop
  }

  /// Whether nothing is to be told of an episode's files.
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
