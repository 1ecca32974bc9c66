import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

/// A part whose file was not met where its record says.
struct LostFile: Sendable {
  /// The episode.
  let episode: EpisodeID
  /// `seq` of its record.
  let rev: Int64
  /// The part.
  let part: MediaPart
  /// What the record says.
  let judged: JudgedFile
  /// What stands at the path nevertheless; nil for nothing.
  let there: FileFacts?
}

extension StoreSnapshot {
  /// The parts below a root whose paths a walk has not met, each looked at once more by its whole
  /// path: a file system that folds case gives names in another way than they were asked for.
  ///
  /// Paths that lead through a link are left out: where that leads may be away.
  ///
  /// - Parameter failures: the list to which paths that cannot be inspected are added.
  /// - Throws: what reading the store throws.
  func lostFiles(
    of root: MediaRoot, _ known: KnownHashes, _ failures: ReadFailures
  ) throws -> [LostFile] {
    guard !known.areAllMet else { return [] }
    var lost: [LostFile] = []
    try mediaGlances { summary in
      for part in summary.parts where part.root == root.uuid {
        guard let judged = JudgedFile(part), !known.hasMet(StableHash.of(judged.path)) else {
          continue
        }
        let path = root.folder.appending(FilePath(judged.path).components)
        let found = try failures.attempt(at: PathBytes(judged.path)) { () -> LostFile? in
          guard try !leadsThroughLink(path, below: root.folder) else { return nil }
          return LostFile(
            episode: summary.id, rev: summary.rev, part: part, judged: judged,
            there: try factsIfPresent(of: path))
        }
        if let file = found ?? nil { lost.append(file) }
      }
      return true
    }
    return lost
  }
}

/// The facts of a file; nil where nothing stands there, also where a folder on the way is a file.
func factsIfPresent(of path: FilePath) throws(FileError) -> FileFacts? {
  do throws(FileError) {
    return try FileFacts.of(path)
  } catch  where error.errno == .notDirectory {
    return nil
  }
}

/// Whether a folder between the root and the file is a symbolic link.
func leadsThroughLink(_ path: FilePath, below root: FilePath) throws(FileError) -> Bool {
  var folder = path.removingLastComponent()
  while folder.components.count > root.components.count {
    if try factsIfPresent(of: folder)?.isLink == true { return true }
    folder = folder.removingLastComponent()
  }
  return false
}
