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
  private var root = ""
  private var hold: VerifiedRoot?
  private var isBlind = false

  /// - Parameter intact: counts the files of the skipped episodes.
  init(look: FileStatus, counting intact: FileCounter, shouldStop: @escaping @Sendable () -> Bool) {
    self.look = look
    self.intact = intact
    self.shouldStop = shouldStop
  }

  /// Whether no file of the episode needs a report.
  func passesOver(_ summary: EpisodeSummary) -> Bool {
    guard !isBlind, !shouldStop() else { return false }
    var count = 0
    for part in summary.parts {
      guard JudgedFile.expectsFile(part.state), let root = part.root, let path = part.path else {
        continue
      }
      guard part.state == .ready, isThere(path, in: root, part.size) else { return false }
      count += 1
    }
    intact.count(count)
    return true
  }

  private func isThere(_ path: String, in root: String, _ size: ByteCount?) -> Bool {
    var path = path
    guard holds(root), let folder = hold?.descriptor,
      let facts = path.withUTF8({ FileFacts.ofSomething(at: $0, below: folder) }), facts.isRegular
    else { return false }
    return size.map { $0.bytes == facts.size } ?? true
  }

  private func holds(_ uuid: String) -> Bool {
    if hold != nil, uuid == root { return true }
    root = uuid
    do {
      hold = try VerifiedRoot(look.mediaRoots.root(uuid))
    } catch {
      hold = nil
      isBlind = true
    }
    return !isBlind
  }
}
