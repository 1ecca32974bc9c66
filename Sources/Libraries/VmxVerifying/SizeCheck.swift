import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// Of 100,000 files, nearly all match their records. The threads that read the records also check
// those files, from the bytes of the record's line, and discard the records at once. So those
// records are not passed to another thread.

/// Skips the episodes whose files all exist with their recorded size. Used by one thread.
///
/// The marker of a root is read once for all consecutive files in it. After a root could not be
/// opened, no further episode is skipped; the workers then determine the cause.
final class SizeCheck {
  private let mediaRoots: MediaRoots
  private let shouldStop: () -> Bool
  private let countIntact: (Int) -> Void
  private var root = ""
  private var open: VerifiedRoot?
  private var hasFailed = false

  /// - Parameter countIntact: counts the files of a skipped episode.
  init(
    _ mediaRoots: MediaRoots, shouldStop: @escaping () -> Bool,
    countIntact: @escaping (Int) -> Void
  ) {
    self.mediaRoots = mediaRoots
    self.shouldStop = shouldStop
    self.countIntact = countIntact
  }

  /// Whether no file of the episode needs a report.
  func skips(_ summary: EpisodeSummary) -> Bool {
    guard !hasFailed, !shouldStop() else { return false }
    var count = 0
    for part in summary.parts {
      guard RecordedFile.expectsFile(part), let root = part.root, let path = part.path else {
        continue
      }
      guard part.state == .ready, exists(path, in: root, part.size) else { return false }
      count += 1
    }
    countIntact(count)
    return true
  }

  private func exists(_ path: String, in root: String, _ size: ByteCount?) -> Bool {
    var path = path
    guard openRoot(root), let folder = open?.descriptor,
      let facts = path.withUTF8({ FileFacts.ofSomething(at: $0, below: folder) }), facts.isRegular
    else { return false }
    return size.map { $0.bytes == facts.size } ?? true
  }

  private func openRoot(_ uuid: String) -> Bool {
    if open != nil, uuid == root { return true }
    root = uuid
    do {
      open = try VerifiedRoot(mediaRoots.root(uuid))
    } catch {
      open = nil
      hasFailed = true
    }
    return !hasFailed
  }
}
