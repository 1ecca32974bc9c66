import VmxLibrary
import VmxModel
import VmxStore

// A sidecar is written under the exclusive claim of its episode, from the record at that time. So
// it is never older than a sidecar that another process wrote.
//
// The workers of this process hold shared claims while they read, and an episode has several files.
// A sidecar whose episode is claimed is therefore retried later, the last time at the end of the
// run.

/// The sidecars that a run has found missing or outdated.
struct UnsavedSidecars {
  /// The number of episodes that are collected before the first write.
  private static let room = 500

  private let store: LibraryStore
  private let writer: SidecarWriter?
  private var found: [EpisodeID: [String: FoundBytes]] = [:]

  /// - Parameter writer: nil if no sidecars are written.
  init(_ store: LibraryStore, _ writer: SidecarWriter?) {
    self.store = store
    self.writer = writer
  }

  /// Adds the digests of a verification whose result is recorded.
  mutating func add(_ proof: VerificationResult) {
    guard writer != nil, let segments = proof.unsaved, let sha256 = proof.item.judged.sha256,
      let size = proof.item.judged.size
    else { return }
    var parts = found[proof.item.id] ?? [:]
    if !segments.isEmpty {
      parts[proof.item.part.name] = FoundBytes(
        size: size, sha256: sha256, proof: .length, segments: segments)
    }
    found[proof.item.id] = parts
  }

  /// Whether enough episodes are collected to write them.
  var isFull: Bool { found.count >= Self.room }

  /// Writes the sidecars of the episodes that no other worker has claimed.
  ///
  /// - Returns: the error of a sidecar that could not be written; nil if all were written or
  ///   claimed.
  /// - Throws: the errors of the store.
  mutating func write() throws -> Failure? {
    guard let writer else { return nil }
    var failure: Failure?
    for (id, parts) in found {
      guard let claim = try store.claims.claim(id) else { continue }
      defer { claim.release() }
      found[id] = nil
      guard let episode = try store.snapshot().episode(id), episode.id == id else { continue }
      // A digest that differs from the record's belongs to a file that was replaced in the
      // meantime.
      let current = parts.filter { name, bytes in
        episode.parts.contains { $0.name == name && $0.sha256 == bytes.sha256 }
      }
      failure = writer.write(episode, found: current) ?? failure
    }
    return failure
  }
}
