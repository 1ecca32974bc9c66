import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A part whose file was not at its recorded path.
struct LostFile: Sendable {
  /// The id of the episode.
  let episode: EpisodeID
  /// The `seq` of the record.
  let rev: Int64
  /// The part.
  let part: Part
  /// The file that the record names.
  let judged: JudgedFile
  /// The entry that is at the path nevertheless; nil if there is none.
  let there: FileFacts?
}

extension StoreSnapshot {
  /// Returns the parts below a root whose paths a walk has not met. Each is inspected again by its
  /// full path, because a case-insensitive file system may list a name in another case.
  ///
  /// Paths through a symbolic link are left out, because the target may not be mounted.
  ///
  /// - Parameter failures: the list to which paths that cannot be inspected are added.
  /// - Throws: the errors of the store.
  func lostFiles(
    of root: MediaRoot, _ known: KnownHashes, _ failures: ReadFailures
  ) throws -> [LostFile] {
    guard !known.areAllMet else { return [] }
    var lost: [LostFile] = []
    try summaries { summary in
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

/// Returns the state of a file; nil if the path has no entry or one of its folders is a file
/// (`ENOTDIR`).
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
