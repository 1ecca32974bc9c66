import SystemPackage
import VmxDigest
import VmxImporting
import VmxJobs
import VmxModel
import VmxSystem

/// Files without a record, to be known again by size and digest. Each is read once at most.
struct FoundFiles {
  private let root: MediaRoot
  private(set) var files: [LooseFile]
  private var digests: [PathBytes: Digest] = [:]
  private let shouldStop: () -> Bool

  /// Those of a root.
  init(_ files: [LooseFile], of root: MediaRoot, shouldStop: @escaping () -> Bool) {
    self.root = root
    self.files = files
    self.shouldStop = shouldStop
  }

  /// The file that has these bytes; it is not found a second time.
  ///
  /// - Parameter path: where it is looked for first.
  /// - Throws: what reading throws, and `WorkEnded.interrupted`.
  mutating func take(size: ByteCount?, sha256: Digest?, at path: String?) throws -> LooseFile? {
    guard let size, let sha256 else { return nil }
    let expected = path.map { PathBytes($0) }
    // What a record cannot name cannot be one's file.
    let candidates = files.filter {
      $0.facts.isRegular && $0.facts.size == size.bytes && $0.path.text != nil
    }
    for file in candidates.filter({ $0.path == expected }) + candidates
    where try digest(of: file) == sha256 {
      files.removeAll { $0.path == file.path }
      return file
    }
    return nil
  }

  /// Leaves out what is known under another name.
  mutating func leaveOut(_ isKnown: (LooseFile) -> Bool) {
    files.removeAll(where: isKnown)
  }

  private mutating func digest(of file: LooseFile) throws -> Digest? {
    if let digest = digests[file.path] { return digest }
    let path = root.file(at: file.path)
    // What has changed since is found by the next look.
    guard try FileFacts.of(path)?.isSameContent(as: file.facts) == true else { return nil }
    let digest = try FileDigest.of(path, shouldStop: shouldStop).whole
    digests[file.path] = digest
    return digest
  }
}
