import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// The user may sort films into folders. One walk through a root finds the files that have the size
// of a missing file. Of these, only files without a record are read.
//
// The walk may meet a folder or file that cannot be read. A missing file may be there. After such
// an error no remaining file is reported as missing.

/// Searches the roots for missing files that were moved within their root.
struct MovedSearch {
  let verifier: FileVerifier

  private typealias Candidate = (path: String, size: Int64)

  /// Returns a result for each missing file: moved, still missing, or unreachable if its root was
  /// unmounted in the meantime. Nil if the run was cancelled.
  ///
  /// - Throws: the errors of the store.
  func search(for missing: [VerificationResult]) throws -> [VerificationResult]? {
    var found: [VerificationResult] = []
    for (uuid, missing) in Dictionary(grouping: missing, by: { $0.item.recordedFile.root }) {
      let root: MediaRoot
      let open: VerifiedRoot
      do {
        root = try verifier.mediaRoots.root(uuid)
        open = try VerifiedRoot(root)
      } catch {
        found += missing.map { verifier.unreachable($0.item, error) }
        continue
      }
      guard let results = try search(root, below: open.folder, for: missing) else { return nil }
      found += results.map { result in
        result.verdict == .missing ? verifier.inspectAgain(result.item, in: root) : result
      }
    }
    return found
  }

  private func search(
    _ root: MediaRoot, below folder: FilePath, for missing: [VerificationResult]
  ) throws -> [VerificationResult]? {
    var wanted: [Int64: [Int]] = [:]
    for (index, result) in missing.enumerated() {
      let judged = result.item.recordedFile
      guard let size = judged.size?.bytes, judged.sha256 != nil else { continue }
      wanted[size, default: []].append(index)
    }
    guard !wanted.isEmpty else { return missing }
    var results = missing
    var reader = SegmentReader(shouldStop: verifier.shouldStop)
    let (candidates, firstUnread) = try candidates(in: root, below: folder, sizes: Set(wanted.keys))
    var unread = firstUnread
    for candidate in candidates {
      if verifier.shouldStop() { return nil }
      guard let indices = wanted[candidate.size], !indices.isEmpty else { continue }
      do throws(FileError) {
        guard let digest = try digest(of: candidate, below: folder, &reader),
          let index = indices.first(where: { missing[$0].item.recordedFile.sha256 == digest })
        else { continue }
        wanted[candidate.size] = indices.filter { $0 != index }
        results[index] = verifier.moved(missing[index].item, root, to: candidate.path)
      } catch {
        if !error.isOfVanished { unread = unread ?? error }
      }
    }
    if let unread {
      // Reports the path below the root's folder, instead of the path through the open descriptor.
      let below = unread.path.components.dropFirst(folder.components.count)
      let path = root.folder.appending(below)
      let failure = FileError.failed(.list, path, unread.errno ?? .ioError)
      for index in wanted.values.joined() {
        results[index] = verifier.failed(missing[index].item, in: root, problem: failure)
      }
    }
    return verifier.shouldStop() ? nil : results
  }

  /// Returns the files of these sizes that no record references, and the error of the first folder
  /// that could not be read.
  private func candidates(
    in root: MediaRoot, below folder: FilePath, sizes: Set<Int64>
  ) throws -> (files: [Candidate], unread: FileError?) {
    var found: [String: Int64] = [:]
    let errors = forEachFile(below: folder) { path, facts in
      // A record holds only valid UTF-8, so other names cannot occur in one.
      if sizes.contains(facts.size), let text = path.validText { found[text] = facts.size }
      return !verifier.shouldStop()
    }
    guard !found.isEmpty else { return ([], errors.first) }
    try verifier.store.snapshot().summaries { summary in
      for part in summary.parts where part.root == root.uuid {
        if let path = part.path { found[path] = nil }
      }
      return true
    }
    return (found.map { ($0.key, $0.value) }.sorted { $0.path < $1.path }, errors.first)
  }

  /// Returns the digest of a candidate; nil if the run was cancelled.
  private func digest(
    of candidate: Candidate, below folder: FilePath, _ reader: inout SegmentReader
  ) throws(FileError) -> Digest? {
    let file = try OpenFile(folder.appending(candidate.path), .readOnly)
    let resident = ResidentPieces(
      of: file, size: candidate.size, pieceSize: SegmentMap.size)
    return try reader.digest(of: file, from: 0, candidate.size + 1, resident)?.sha256
  }
}

extension FilePath {
  /// The path as text; nil if its bytes are not valid UTF-8.
  fileprivate var validText: String? {
    let text = string
    return FilePath(text) == self && !text.unicodeScalars.contains("\u{FFFD}") ? text : nil
  }
}
