import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

// A person sorts films into folders. One walk through a root finds the files that have the size of
// a missing one; only those are read, and only if no other record names them.

/// Looks for missing files elsewhere in their roots.
struct MovedSearch {
  let look: FileLook
  let shouldStop: @Sendable () -> Bool

  /// A file that may be one of those that are missing.
  private struct Candidate {
    let path: String
    let size: Int64
  }

  /// What becomes of missing files: moved, still missing, or unreachable where a root went away
  /// meanwhile; nil if it was told to stop.
  ///
  /// - Throws: what the store throws.
  func search(for missing: [PartProof]) throws -> [PartProof]? {
    var found: [PartProof] = []
    for (uuid, proofs) in Dictionary(grouping: missing, by: { $0.item.judged.root }) {
      let root: MediaRoot
      let hold: RootHold
      do {
        root = try look.shelf.root(uuid)
        hold = try RootHold(root)
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
    _ root: MediaRoot, below folder: FilePath, for missing: [PartProof]
  ) throws -> [PartProof]? {
    var wanted: [Int64: [Int]] = [:]
    for (place, proof) in missing.enumerated() {
      let judged = proof.item.judged
      guard let size = judged.size?.bytes, judged.sha256 != nil else { continue }
      wanted[size, default: []].append(place)
    }
    guard !wanted.isEmpty else { return missing }
    var proofs = missing
    var reader = SegmentReader(shouldStop: shouldStop)
    for candidate in try candidates(in: root, below: folder, sizes: Set(wanted.keys)) {
      if shouldStop() { return nil }
      guard let places = wanted[candidate.size], !places.isEmpty,
        let digest = digest(of: candidate, below: folder, &reader),
        let place = places.first(where: { missing[$0].item.judged.sha256 == digest })
      else { continue }
      wanted[candidate.size] = places.filter { $0 != place }
      proofs[place] = look.proof.moved(missing[place].item, root, to: candidate.path)
    }
    return shouldStop() ? nil : proofs
  }

  /// Files of these sizes that belong to no record.
  private func candidates(
    in root: MediaRoot, below folder: FilePath, sizes: Set<Int64>
  ) throws -> [Candidate] {
    var found: [String: Int64] = [:]
    FolderWalk(folder).forEachFile { path, facts in
      // A name that is no text can stand in no record.
      if sizes.contains(facts.size), let text = path.validText { found[text] = facts.size }
      return !shouldStop()
    }
    guard !found.isEmpty else { return [] }
    try look.store.snapshot().mediaGlances { glance in
      for part in glance.parts where part.root == root.uuid {
        if let path = part.path { found[path] = nil }
      }
      return true
    }
    return found.map { Candidate(path: $0.key, size: $0.value) }.sorted { $0.path < $1.path }
  }

  /// The digest of a candidate; nil where it cannot be read, which makes it no candidate.
  private func digest(
    of candidate: Candidate, below folder: FilePath, _ reader: inout SegmentReader
  ) -> Digest? {
    do throws(FileError) {
      let file = try OpenFile(folder.appending(candidate.path), .readOnly)
      let resident = ResidentPieces(
        of: file, size: candidate.size, pieceSize: SegmentList.segmentSize)
      return try reader.digest(of: file, from: 0, candidate.size + 1, resident)
    } catch {
      return nil
    }
  }
}

extension FilePath {
  /// Its text; nil where its bytes are no UTF-8.
  fileprivate var validText: String? {
    let text = string
    return FilePath(text) == self && !text.unicodeScalars.contains("\u{FFFD}") ? text : nil
  }
}
