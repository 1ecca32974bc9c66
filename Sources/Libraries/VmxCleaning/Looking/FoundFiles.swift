import SystemPackage
import VmxDigest
import VmxImporting
import VmxJobs
import VmxModel
import VmxSystem

/// Files without a record, to be known again by size and digest. Each is read once at most.
struct FoundFiles {
  /// The result of a search by size and digest.
  enum Match {
    case file(LooseFile)
    case none
    /// A file of this size could not be read, and may be the one.
    case unknown
  }

  private let root: MediaRoot
  private let failures: ReadFailures
  private(set) var files: [LooseFile]
  private var digests: [PathBytes: Digest] = [:]
  private let shouldStop: () -> Bool

  /// Those of a root.
  ///
  /// - Parameter failures: the list to which files that cannot be read are added.
  init(
    _ files: [LooseFile], of root: MediaRoot, _ failures: ReadFailures,
    shouldStop: @escaping () -> Bool
  ) {
    self.root = root
    self.failures = failures
    self.files = files
    self.shouldStop = shouldStop
  }

  /// The file that has these bytes; it is not found a second time.
  ///
  /// - Parameter path: where it is looked for first.
  /// - Throws: `WorkEnded.interrupted`.
  mutating func take(size: ByteCount?, sha256: Digest?, at path: String?) throws -> Match {
    guard let size, let sha256 else { return .none }
    let expected = path.map { PathBytes($0) }
    // What a record cannot name cannot be one's file.
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

  /// Leaves out what is known under another name.
  mutating func leaveOut(_ isKnown: (LooseFile) -> Bool) {
    files.removeAll(where: isKnown)
  }

  private mutating func digest(of file: LooseFile) throws -> Digest? {
    if let digest = digests[file.path] { return digest }
    guard !failures.covers(file.path) else { return nil }
    let digest = try failures.attempt(at: file.path) { () -> Digest? in
      let path = root.file(at: file.path)
      // What has changed since is found by the next look.
      guard try FileFacts.of(path)?.isSameContent(as: file.facts) == true else { return nil }
      return try FileDigest.of(path, shouldStop: shouldStop).whole
    }
    digests[file.path] = digest ?? nil
    return digest ?? nil
  }
}
