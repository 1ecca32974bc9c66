import Synchronization
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// Verifies many files with several workers and records the results in groups. The groups form
/// without a timer: while one group is recorded, the workers collect the next.
package final class VerificationRun: Sendable {
  /// The number of missing files that are collected before the roots are searched for them.
  private static let searched = 20_000

  /// The end of a run.
  package struct End: Sendable {
    /// Whether the budget or the deadline ended the run before all files were verified.
    package let isSpent: Bool
    /// The number of intact files that were not reported.
    package let intact: Int
    /// The error of a sidecar that was missing or outdated and could not be written; else nil.
    package let unsaved: Failure?
  }

  private let store: LibraryStore
  private let settings: VerificationSettings
  private let prover: FileVerifier
  private let shouldStop: @Sendable () -> Bool
  private let board: VerificationQueue
  private let results = ResultBox()
  private let intact = FileCounter()
  private let budget: VerificationBudget

  /// Creates a run on a library.
  ///
  /// - Parameter shouldStop: called often. Once it returns true no file is begun, reads in progress
  ///   are abandoned, and the results so far are recorded.
  package init(
    store: LibraryStore, mediaRoots: MediaRoots, clock: any WallClock,
    settings: VerificationSettings,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.settings = settings
    self.shouldStop = shouldStop
    let look = FileStatus(store: store, mediaRoots: mediaRoots, proof: ProofWriter(clock: clock))
    prover = FileVerifier(look: look, settings: settings, shouldStop: shouldStop)
    board = VerificationQueue(capacity: 2 * settings.workers)
    budget = VerificationBudget(settings)
  }

  /// Verifies the files of the feed. Reports each file on the calling thread, after its result is
  /// recorded.
  ///
  /// - Parameters:
  ///   - feed: enqueues files until its argument returns false. It runs on a thread of its own,
  ///     which may still read when this method returns.
  ///   - report: receives the results in the order in which they are known. Missing files come
  ///     last, because the roots are searched for them first.
  /// - Returns: the end of the run.
  /// - Throws: the errors of the store and of `report`, after the workers have ended.
  package func perform(
    feed: @escaping @Sendable (_ hand: ([VerificationItem]) -> Bool) -> Void,
    report: (VerificationResult) throws -> Void
  ) throws -> End {
    let isSpent = Monitor(false)
    _ = try WorkerThread.start("vmx-feed") { [board, budget, shouldStop] in
      feed { items in
        let allowed = items.prefix { item in !shouldStop() && budget.allows(item) }
        guard board.hand(Array(allowed)), !shouldStop() else { return false }
        guard allowed.count == items.count else {
          isSpent.withLock { $0 = true }
          return false
        }
        return true
      }
      board.close()
    }
    let workers = try (0..<max(1, settings.workers)).map { _ in
      try WorkerThread.start("vmx-prove") { [self] in work() }
    }
    _ = try WorkerThread.start("vmx-closer") { [results] in
      for worker in workers { worker.join() }
      results.close()
    }
    let unsaved: Failure?
    do {
      unsaved = try gather(report)
    } catch {
      board.cancel()
      while results.next() != nil {}
      throw error
    }
    return End(isSpent: isSpent.withLock { $0 }, intact: intact.value, unsaved: unsaved)
  }

  /// A filter for `feed` that skips the episodes whose files are all as recorded. Nil if every file
  /// must be enqueued, because each needs an action or a report.
  package var skipFilter: SkipFilter? {
    guard settings.isQuick, !settings.tellsIntact, settings.budget == nil,
      settings.milliseconds == nil
    else { return nil }
    return { [look = prover.look, intact, shouldStop] in
      let skipFilter = SizeCheck(look: look, counting: intact, shouldStop: shouldStop)
      return { skipFilter.passesOver($0) }
    }
  }

  /// Cancels the run and wakes the workers that wait for files.
  package func stop() {
    board.cancel()
  }

  /// - Returns: the error of a sidecar that could not be written.
  private func gather(_ report: (VerificationResult) throws -> Void) throws -> Failure? {
    var missing: [VerificationResult] = []
    var sidecars = UnsavedSidecars(store, settings.isDryRun ? nil : settings.sidecars)
    var failure: Failure?
    while let proofs = results.next() {
      missing += proofs.filter { $0.answer == .missing }
      try tell(proofs.filter { $0.answer != .missing }, &sidecars, report)
      if missing.count >= Self.searched {
        try search(for: missing, &sidecars, report)
        missing = []
      }
      if sidecars.isFull { failure = try sidecars.write() ?? failure }
    }
    try search(for: missing, &sidecars, report)
    return try sidecars.write() ?? failure
  }

  private func search(
    for missing: [VerificationResult], _ sidecars: inout UnsavedSidecars,
    _ report: (VerificationResult) throws -> Void
  ) throws {
    guard !missing.isEmpty, !shouldStop() else { return }
    let found = try MovedSearch(look: prover.look, shouldStop: shouldStop).search(for: missing)
    if let found { try tell(found, &sidecars, report) }
  }

  /// Records the new findings and reports all results.
  private func tell(
    _ proofs: [VerificationResult], _ sidecars: inout UnsavedSidecars,
    _ report: (VerificationResult) throws -> Void
  ) throws {
    let findings = settings.isDryRun ? [] : proofs.compactMap(\.finding)
    var recorded =
      try findings.isEmpty ? [][...] : VerificationRecorder(store).record(findings)[...]
    for var proof in proofs {
      if !settings.isDryRun, proof.finding != nil {
        switch recorded.popFirst() {
        case .changed(let episode)?, .unchanged(let episode)?:
          proof.rev = episode.rev
          sidecars.add(proof)
        case .outdated?, nil: proof = prover.look.proof.passedOver(proof.item, nil)
        }
      }
      try report(proof)
    }
  }

  private func work() {
    var reader = SegmentReader(shouldStop: shouldStop)
    while !shouldStop(), let work = board.next() {
      switch work {
      case .files(let items):
        let found = look(at: items, &reader)
        board.looked()
        results.add(found)
      case .run(let open, let run):
        if let end = open.prove(run, &reader),
          let proof = prover.conclude(open, end, &reader)
        {
          results.add([proof])
        }
      }
    }
    if shouldStop() { board.cancel() }
  }

  /// Inspects the files of a batch, grouped by root. The marker of a root is read once for each
  /// group, and once more for every negative result.
  private func look(at items: [VerificationItem], _ reader: inout SegmentReader)
    -> [VerificationResult]
  {
    var found: [VerificationResult] = []
    var intact = 0
    defer { self.intact.count(intact) }
    var rest = items[...]
    while let uuid = rest.first?.judged.root, !shouldStop() {
      let group = rest.prefix { $0.judged.root == uuid }
      rest = rest.dropFirst(group.count)
      do {
        let root = try prover.look.mediaRoots.root(uuid)
        let hold = try VerifiedRoot(root)
        for item in group where !shouldStop() {
          switch prover.begin(item, in: root, hold, &reader) {
          case .done(let proof):
            if settings.tellsIntact || proof.answer != .intact || proof.verdict != nil {
              found.append(proof)
            } else {
              intact += 1
            }
          case .opened(let open): board.add(open)
          case .stopped: return found
          }
        }
      } catch {
        found += group.map { prover.look.proof.unreachable($0, error) }
      }
    }
    return found
  }
}

/// The queue of results: workers append to it, and one thread removes all results at once.
private final class ResultBox: Sendable {
  private struct State: Sendable {
    var proofs: [VerificationResult] = []
    var isClosed = false
  }

  /// The maximal number of queued results; workers block while the queue is full.
  private static let room = 4096

  private let state = Monitor(State())

  func add(_ proofs: [VerificationResult]) {
    state.when({ $0.isClosed || $0.proofs.count < Self.room }) { $0.proofs += proofs }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Removes and returns all results, and blocks until there is one; nil at the end.
  func next() -> [VerificationResult]? {
    state.when({ $0.isClosed || !$0.proofs.isEmpty }) { state in
      defer { state.proofs = [] }
      return state.proofs.isEmpty ? nil : state.proofs
    }
  }
}

/// Counts the intact files that need no report.
final class FileCounter: Sendable {
  private let files = Atomic(0)

  /// Adds to the count, on any thread.
  func count(_ more: Int) {
    if more > 0 { files.add(more, ordering: .relaxed) }
  }

  /// The count; final once all workers have ended.
  var value: Int { files.load(ordering: .relaxed) }
}
