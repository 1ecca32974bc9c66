import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A user sorts films into folders. One walk through a root finds the files that have the size of a
// missing file. Of these, only the files that no other record names are read.
//
// A missing file may be in a folder, or be a file, that cannot be read. After such an error no
// remaining file is reported as missing.

/// Searches the roots for missing files that were moved within their root.
struct MovedSearch {
  let look: FileStatus
  let shouldStop: @Sendable () -> Bool

  /// A file that may be one of the missing files.
  private struct Candidate {
    let path: String
    let size: Int64
  }

  /// The files of the wanted sizes, and the first folder that could not be read.
  private struct Candidates {
    var files: [Candidate] = []
    var unread: FileError?
  }

  /// Returns a result for each missing file: moved, still missing, or unreachable if its root was
  /// unmounted in the meantime. Nil if the run was cancelled.
  ///
  /// - Throws: the errors of the store.
  func search(for missing: [VerificationResult]) throws -> [VerificationResult]? {
    var found: [VerificationResult] = []
    for (uuid, proofs) in Dictionary(grouping: missing, by: { $0.item.judged.root }) {
      let root: MediaRoot
      let hold: VerifiedRoot
      do {
        root = try look.mediaRoots.root(uuid)
        hold = try VerifiedRoot(root)
      } catch {
        found += proofs.map { look.proof.unreachable($0.item, error) }
        continue
      }
      let searched = try search(root, below: hold.folder, for: proofs)
      guard let searched else { return nil }
      found += searched.map { proof in
        proof.answer == .missing ? look.secondLook(at: proof.item, in: root) : proof
      }
    }
    return found
  }

  private func search(
    _ root: MediaRoot, below folder: FilePath, for missing: [VerificationResult]
  ) throws -> [VerificationResult]? {
    var wanted: [Int64: [Int]] = [:]
    for (place, proof) in missing.enumerated() {
      let judged = proof.item.judged
      guard let size = judged.size?.bytes, judged.sha256 != nil else { continue }
      wanted[size, default: []].append(place)
    }
    guard !wanted.isEmpty else { return missing }
    var proofs = missing
    var reader = SegmentReader(shouldStop: shouldStop)
    let candidates = try candidates(in: root, below: folder, sizes: Set(wanted.keys))
    var unread = candidates.unread
    for candidate in candidates.files {
      if shouldStop() { return nil }
      guard let places = wanted[candidate.size], !places.isEmpty else { continue }
      do throws(FileError) {
        guard let digest = try digest(of: candidate, below: folder, &reader),
          let place = places.first(where: { missing[$0].item.judged.sha256 == digest })
        else { continue }
        wanted[candidate.size] = places.filter { $0 != place }
        proofs[place] = look.proof.moved(missing[place].item, root, to: candidate.path)
      } catch {
        if !error.isOfVanished { unread = unread ?? error }
      }
    }
    if let unread {
      // Reports the path below the root's folder, instead of the path through the open descriptor.
      let below = unread.path.components.dropFirst(folder.components.count)
      let path = root.folder.appending(below)
      let failure = FileError.failed(.list, path, unread.errno ?? .ioError)
      for place in wanted.values.joined() {
        proofs[place] = look.proof.failed(missing[place].item, root, failure)
      }
    }
    return shouldStop() ? nil : proofs
  }

  /// Finds the files of these sizes that no record names.
  private func candidates(
    in root: MediaRoot, below folder: FilePath, sizes: Set<Int64>
  ) throws -> Candidates {
    var found: [String: Int64] = [:]
    let errors = forEachFile(below: folder) { path, facts in
      // A record holds only valid UTF-8, so a name that is not cannot be in one.
      if sizes.contains(facts.size), let text = path.validText { found[text] = facts.size }
      return !shouldStop()
    }
    guard !found.isEmpty else { return Candidates(unread: errors.first) }
    try look.store.snapshot().summaries { summary in
      for part in summary.parts where part.root == root.uuid {
        if let path = part.path { found[path] = nil }
      }
      return true
    }
    let files = found.map { Candidate(path: $0.key, size: $0.value) }
    return Candidates(files: files.sorted { $0.path < $1.path }, unread: errors.first)
  }

  /// Returns the digest of a candidate; nil if the run was cancelled.
  private func digest(
    of candidate: Candidate, below folder: FilePath, _ reader: inout SegmentReader
  ) throws(FileError) -> Digest? {
    let file = try OpenFile(folder.appending(candidate.path), .readOnly)
    let resident = ResidentPieces(
      of: file, size: candidate.size, pieceSize: SegmentList.segmentSize)
    return try reader.digest(of: file, from: 0, candidate.size + 1, resident)
  }
}

extension FilePath {
  /// The path as text; nil if its bytes are not valid UTF-8.
  fileprivate var validText: String? {
    let text = string
    return FilePath(text) == self && !text.unicodeScalars.contains("\u{FFFD}") ? text : nil
  }
}
