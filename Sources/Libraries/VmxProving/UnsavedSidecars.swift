import VmxJobs
import VmxModel
import VmxStore

// A sidecar is written under the exclusive claim of its episode, and from the record as it is then;
// so it is never older than what another process wrote. The workers of this process hold shared
// claims while they read, and an episode has several files: so one that is claimed stays for a
// later try, the last of which is at the end of the run.

/// The sidecars that a run has found missing or wrong.
struct UnsavedSidecars {
  /// Episodes that are kept before the first try.
  private static let room = 500

  private let store: LibraryStore
  private let writer: SidecarWriter?
  private var found: [EpisodeID: [String: FoundBytes]] = [:]

  /// - Parameter writer: nil where nothing is to be written.
  init(_ store: LibraryStore, _ writer: SidecarWriter?) {
    self.store = store
    self.writer = writer
  }

  /// Adds what a proof has shown, once it is recorded.
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

  /// Whether so many wait that it is time to write them.
  var isFull: Bool { found.count >= Self.room }

  /// Writes those whose episodes are free.
  ///
  /// - Returns: why one could not be written; nil where all could, or are in work.
  /// - Throws: what the store throws.
  mutating func write() throws -> Failure? {
    guard let writer else { return nil }
    var failure: Failure?
    for (id, parts) in found {
      guard let claim = try store.claims.claim(id) else { continue }
      defer { claim.release() }
      found[id] = nil
      guard let episode = try store.snapshot().episode(id), episode.id == id else { continue }
      // Digests of other bytes than those of the record are of a file that was replaced since.
      let current = parts.filter { name, bytes in
        episode.parts.contains { $0.name == name && $0.sha256 == bytes.sha256 }
      }
      failure = writer.write(episode, found: current) ?? failure
    }
    return failure
  }
}
