import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

// A person sorts films into folders. One walk through a root finds the files that have the size of
// a missing one; only those are read, and only if no other record names them. A folder or a file
// that cannot be read may be where a missing file is: then nothing more is called missing.

/// Looks for missing files elsewhere in their roots.
struct MovedSearch {
  let look: FileStatus
  let shouldStop: @Sendable () -> Bool

  /// A file that may be one of those that are missing.
  private struct Candidate {
    let path: String
    let size: Int64
  }

  /// The files of the wanted sizes, and the first folder that could not be read.
  private struct Candidates {
    var files: [Candidate] = []
    var unread: FileError?
  }

  /// What becomes of missing files: moved, still missing, or unreachable where a root went away
  /// meanwhile; nil if it was told to stop.
  ///
  /// - Throws: what the store throws.
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
      // The name that a person knows, instead of the one by way of the held descriptor.
      let below = unread.path.components.dropFirst(folder.components.count)
      let path = root.folder.appending(below)
      let failure = FileError.failed(.list, path, unread.errno ?? .ioError)
      for place in wanted.values.joined() {
        proofs[place] = look.proof.failed(missing[place].item, root, failure)
      }
    }
    return shouldStop() ? nil : proofs
  }

  /// Files of these sizes that belong to no record.
  private func candidates(
    in root: MediaRoot, below folder: FilePath, sizes: Set<Int64>
  ) throws -> Candidates {
    var found: [String: Int64] = [:]
    let errors = FolderWalk(folder).forEachFile { path, facts in
      // A name that is no text can stand in no record.
      if sizes.contains(facts.size), let text = path.validText { found[text] = facts.size }
      return !shouldStop()
    }
    guard !found.isEmpty else { return Candidates(unread: errors.first) }
    try look.store.snapshot().mediaGlances { summary in
      for part in summary.parts where part.root == root.uuid {
        if let path = part.path { found[path] = nil }
      }
      return true
    }
    let files = found.map { Candidate(path: $0.key, size: $0.value) }
    return Candidates(files: files.sorted { $0.path < $1.path }, unread: errors.first)
  }

  /// The digest of a candidate; nil where it was told to stop.
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
  /// Its text; nil where its bytes are no UTF-8.
  fileprivate var validText: String? {
    let text = string
    return FilePath(text) == self && !text.unicodeScalars.contains("\u{FFFD}") ? text : nil
  }
}
