import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// Files without a record, which are matched by size and digest. Each file is read at most once.
struct UnknownFiles {
  /// The result of a search by size and digest.
  enum Match {
    case file(UnrecordedFile)
    case none
    /// A file of this size could not be read, so it may be the match.
    case unknown
  }

  private let root: MediaRoot
  private let failures: ReadFailures
  private(set) var files: [UnrecordedFile]
  private var digests: [PathBytes: Digest] = [:]
  private let shouldStop: () -> Bool

  /// Creates the list of the files of one root.
  ///
  /// - Parameter failures: the list to which files that cannot be read are added.
  init(
    _ files: [UnrecordedFile], of root: MediaRoot, _ failures: ReadFailures,
    shouldStop: @escaping () -> Bool
  ) {
    self.root = root
    self.failures = failures
    self.files = files
    self.shouldStop = shouldStop
  }

  /// Removes and returns the file with these bytes, so that it cannot match twice.
  ///
  /// - Parameter path: the path that is tried first.
  /// - Throws: `WorkEnded.interrupted`.
  mutating func remove(size: ByteCount?, sha256: Digest?, at path: String?) throws -> Match {
    guard let size, let sha256 else { return .none }
    let expected = path.map { PathBytes($0) }
    // A record holds only valid UTF-8 paths, so other files cannot match.
    let candidates = files.filter {
      $0.facts.isRegular && $0.facts.size == size.bytes && $0.path.text != nil
    }
    for file in candidates.filter({ $0.path == expected }) + candidates
    where try digest(of: file) == sha256 {
      files.removeAll { $0.path == file.path }
      return .file(file)
    }
    return candidates.contains { failures.covers($0.path) } ? .unknown : .none
  }

  /// Removes the files that are known under another path.
  mutating func removeAll(where isKnown: (UnrecordedFile) -> Bool) {
    files.removeAll(where: isKnown)
  }

  private mutating func digest(of file: UnrecordedFile) throws -> Digest? {
    if let digest = digests[file.path] { return digest }
    guard !failures.covers(file.path) else { return nil }
    let digest = try failures.attempt(at: file.path) { () -> Digest? in
      let path = root.file(at: file.path)
      // The next scan finds a file that has changed in the meantime.
      guard try FileFacts.of(path)?.isSameContent(as: file.facts) == true else { return nil }
      return try FileDigest.sha256(of: path, shouldStop: shouldStop)
    }
    digests[file.path] = digest
    return digest
  }
}

/// A part whose file was not at its recorded path.
struct MissingFile: Sendable {
  /// The id of the episode.
  let episode: EpisodeID
  /// The `seq` of the record.
  let rev: Int64
  /// The part.
  let part: Part
  /// The file that the record references.
  let recordedFile: RecordedFile
  /// The entry that exists at the path nevertheless; nil if there is none.
  let existing: FileFacts?

  /// Inspects the file of a part by its full path. Nil if the path leads through a symbolic link,
  /// whose target may not be mounted, or if the record references no file.
  init?(_ part: Part, of summary: EpisodeSummary, in root: MediaRoot) throws(FileError) {
    guard let judged = RecordedFile(part) else { return nil }
    let path = root.folder.appending(FilePath(judged.path).components)
    guard try !crossesLink(path, below: root.folder) else { return nil }
    self.recordedFile = judged
    self.part = part
    episode = summary.id
    rev = summary.rev
    existing = try FileFacts.ifPresent(at: path)
  }
}

extension StoreSnapshot {
  /// Returns the parts below a root whose paths a walk has not found. Each is inspected again,
  /// because a case-insensitive file system may list a name in another case.
  ///
  /// - Parameter failures: the list to which paths that cannot be inspected are added.
  /// - Throws: the errors of the store.
  func missingFiles(
    in root: MediaRoot, _ known: KnownHashes, _ failures: ReadFailures
  ) throws -> [MissingFile] {
    guard !known.areAllFound else { return [] }
    var missing: [MissingFile] = []
    try summaries { summary in
      for part in summary.parts where part.root == root.uuid {
        guard let judged = RecordedFile(part), !known.isFound(StableHash.of(judged.path)) else {
          continue
        }
        let file = try failures.attempt(at: PathBytes(judged.path)) {
          try MissingFile(part, of: summary, in: root)
        }
        if let file { missing.append(file) }
      }
      return true
    }
    return missing
  }
}

/// Whether a folder between the root and the file is a symbolic link.
func crossesLink(_ path: FilePath, below root: FilePath) throws(FileError) -> Bool {
  var folder = path.removingLastComponent()
  while folder.components.count > root.components.count {
    if try FileFacts.ifPresent(at: folder)?.isLink == true { return true }
    folder = folder.removingLastComponent()
  }
  return false
}
