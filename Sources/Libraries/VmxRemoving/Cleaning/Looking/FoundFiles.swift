import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxSystem

/// Files without a record, which are matched by size and digest. Each file is read at most once.
struct FoundFiles {
  /// The result of a search by size and digest.
  enum Match {
    case file(LooseFile)
    case none
    /// A file of this size could not be read, so it may be the match.
    case unknown
  }

  private let root: MediaRoot
  private let failures: ReadFailures
  private(set) var files: [LooseFile]
  private var digests: [PathBytes: Digest] = [:]
  private let shouldStop: () -> Bool

  /// Takes the files of one root.
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

  /// Removes and returns the file with these bytes, so that it cannot match twice.
  ///
  /// - Parameter path: the path that is tried first.
  /// - Throws: `WorkEnded.interrupted`.
  mutating func take(size: ByteCount?, sha256: Digest?, at path: String?) throws -> Match {
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
  mutating func leaveOut(_ isKnown: (LooseFile) -> Bool) {
    files.removeAll(where: isKnown)
  }

  private mutating func digest(of file: LooseFile) throws -> Digest? {
    if let digest = digests[file.path] { return digest }
    guard !failures.covers(file.path) else { return nil }
    let digest = try failures.attempt(at: file.path) { () -> Digest? in
      let path = root.file(at: file.path)
      // The next scan finds a file that has changed in the meantime.
      guard try FileFacts.of(path)?.isSameContent(as: file.facts) == true else { return nil }
      return try withFile(path) { try FileDigest.of($0) { _ in shouldStop() }.whole }
    }
    digests[file.path] = digest ?? nil
    return digest ?? nil
  }
}
