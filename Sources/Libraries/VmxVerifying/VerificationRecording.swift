import VmxLibrary
import VmxModel
import VmxStore

/// Records the results of a run in groups, then reports them. Used by one thread.
struct VerificationRecording {
  /// The maximum number of missing files that are collected before the roots are searched for them.
  private static let maxMissing = 20_000

  private let verifier: FileVerifier
  private let report: (VerificationResult) throws -> Void
  private var missing: [VerificationResult] = []
  private var sidecars: OutdatedSidecars
  /// The error of a sidecar that could not be written; nil if there is none.
  private(set) var failure: Failure?

  /// - Parameter report: receives each result after it is recorded.
  init(_ verifier: FileVerifier, report: @escaping (VerificationResult) throws -> Void) {
    self.verifier = verifier
    self.report = report
    let settings = verifier.settings
    sidecars = OutdatedSidecars(verifier.store, verifier.store.isDryRun ? nil : settings.sidecars)
  }

  /// Records results. Missing files are recorded and reported only after the roots were searched.
  ///
  /// - Throws: the errors of the store and of `report`.
  mutating func add(_ results: [VerificationResult]) throws {
    missing += results.filter { $0.verdict == .missing }
    try record(results.filter { $0.verdict != .missing })
    if missing.count >= Self.maxMissing { try searchMissing() }
    if sidecars.isFull { failure = try sidecars.write() ?? failure }
  }

  /// Searches the roots for the missing files, and writes the remaining sidecars.
  ///
  /// - Throws: the errors of the store and of `report`.
  mutating func finish() throws {
    try searchMissing()
    failure = try sidecars.write() ?? failure
  }

  private mutating func searchMissing() throws {
    defer { missing = [] }
    guard !missing.isEmpty, !verifier.shouldStop() else { return }
    let found = try MovedSearch(verifier: verifier).search(for: missing)
    if let found { try record(found) }
  }

  private mutating func record(_ results: [VerificationResult]) throws {
    let isDryRun = verifier.store.isDryRun
    let findings = isDryRun ? [] : results.compactMap(\.finding)
    var recorded =
      try findings.isEmpty ? [][...] : VerificationRecorder(verifier.store).record(findings)[...]
    for var result in results {
      if !isDryRun, result.finding != nil {
        switch recorded.popFirst() {
        case .changed(let episode)?, .unchanged(let episode)?:
          result.rev = episode.rev
          sidecars.add(result)
        case .outdated?, nil: result = verifier.skipped(result.item, nil)
        }
      }
      try report(result)
    }
  }
}

// A sidecar is written under the exclusive claim of its episode, from the record at that time. So
// it is never older than a sidecar that another process wrote.
//
// The workers of this process hold shared claims while they read, and an episode has several files.
// The write of a sidecar whose episode is claimed is therefore retried later, the last time at the
// end of the run.

/// The sidecars that a run has found missing or outdated.
struct OutdatedSidecars {
  /// The number of episodes that are collected before a write.
  private static let batchSize = 500

  private let store: LibraryStore
  private let writer: SidecarWriter?
  private var found: [EpisodeID: [String: FoundBytes]] = [:]

  /// - Parameter writer: nil if no sidecars are written.
  init(_ store: LibraryStore, _ writer: SidecarWriter?) {
    self.store = store
    self.writer = writer
  }

  /// Adds the digests of a verification whose result is recorded.
  mutating func add(_ result: VerificationResult) {
    guard writer != nil, let segments = result.unsaved,
      let sha256 = result.item.recordedFile.sha256,
      let size = result.item.recordedFile.size
    else { return }
    var parts = found[result.item.id] ?? [:]
    if !segments.isEmpty {
      parts[result.item.part.name] = FoundBytes(
        size: size, sha256: sha256, proof: .length, segments: segments)
    }
    found[result.item.id] = parts
  }

  /// Whether enough episodes are collected to write them.
  var isFull: Bool { found.count >= Self.batchSize }

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
