import Synchronization
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// The options of a verification run.
package struct VerificationSettings: Sendable {
  /// Whether only existence and size are checked.
  package var isQuick = false
  /// Whether the containers of videos are checked even if their bytes have a digest.
  package var walksContainers = false
  /// Reads the durations of the tracks of videos; nil if the user did not request them.
  package var prober: TrackProber?
  /// Whether intact files are reported one by one instead of only counted, even if nothing is
  /// recorded for them.
  package var reportsIntact = true
  /// Writes sidecars and NFO files that are missing or outdated; nil if none are written.
  package var sidecars: SidecarWriter?
  /// The number of bytes after which no further file is begun; nil for no limit.
  package var budget: ByteCount?
  /// The time after which no further file is begun, in milliseconds; nil for no limit.
  package var milliseconds: Int64?
  /// The number of worker threads.
  package var workers = 2

  /// The default options: all files, verified by their bytes.
  package init() {}
}

/// Verifies many files with several workers and records the results in groups. Groups need no
/// timer: while one group is recorded, the workers collect the next.
package final class VerificationRun: Sendable {
  /// The end of a run.
  package struct End: Sendable {
    /// Whether the budget or the deadline ended the run before all files were verified.
    package let isBudgetExhausted: Bool
    /// The number of intact files that were not reported.
    package let intact: Int
    /// The error of a missing or outdated sidecar that could not be written; nil if there is none.
    package let unsaved: Failure?
  }

  private let verifier: FileVerifier
  private let queue: VerificationQueue
  private let results = ResultQueue()
  private let intact = Atomic(0)
  private let budget: VerificationBudget
  private let isBudgetExhausted = Atomic(false)
  private let progress: @Sendable (Int) -> Void

  /// Creates a run on a library.
  ///
  /// - Parameters:
  ///   - tools: the library. Once its run is to stop, no further file is begun, reads in progress
  ///     are abandoned, and the results so far are recorded.
  ///   - progress: called with the number of bytes of each read, on any thread.
  package init(
    _ tools: LibraryTools, settings: VerificationSettings,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    verifier = FileVerifier(tools: tools, settings: settings)
    self.progress = progress
    queue = VerificationQueue(capacity: 2 * settings.workers)
    budget = VerificationBudget(settings)
  }

  private var settings: VerificationSettings { verifier.settings }
  private var shouldStop: @Sendable () -> Bool { verifier.shouldStop }

  /// Verifies the files of the feed. Reports each file on the calling thread, after its result is
  /// recorded.
  ///
  /// - Parameters:
  ///   - feed: enqueues files until its argument returns false. It runs on a thread of its own,
  ///     which may still read when this method returns.
  ///   - report: receives the results in the order in which they become known. Missing files come
  ///     last, because the roots are searched for them first.
  /// - Returns: the end of the run.
  /// - Throws: the errors of the store and of `report`, after the workers have ended.
  package func perform(
    feed: @escaping @Sendable (_ enqueue: ([VerificationItem]) -> Bool) -> Void,
    report: @escaping (VerificationResult) throws -> Void
  ) throws -> End {
    _ = try WorkerThread.start("vmx-feed") { [self] in
      feed { enqueue($0) }
      queue.close()
    }
    let workers = try (0..<max(1, settings.workers)).map { _ in
      try WorkerThread.start("vmx-verify") { [self] in work() }
    }
    _ = try WorkerThread.start("vmx-closer") { [results] in
      for worker in workers { worker.join() }
      results.close()
    }
    var recording = VerificationRecording(verifier, report: report)
    do {
      while let results = results.removeAll() { try recording.add(results) }
      try recording.finish()
    } catch {
      queue.cancel()
      while results.removeAll() != nil {}
      throw error
    }
    return End(
      isBudgetExhausted: isBudgetExhausted.load(ordering: .sequentiallyConsistent),
      intact: intact.load(ordering: .relaxed), unsaved: recording.failure)
  }

  /// A filter for `feed` that skips the episodes whose files all match their records. Nil if every
  /// file must be enqueued, because each needs an action or a report.
  package var skipFilter: SkipFilter? {
    guard settings.isQuick, !settings.reportsIntact, settings.budget == nil,
      settings.milliseconds == nil
    else { return nil }
    return { [self] in
      let check = SizeCheck(verifier.mediaRoots, shouldStop: shouldStop) { self.countIntact($0) }
      return { check.skips($0) }
    }
  }

  /// Cancels the run and wakes the workers that wait for files.
  package func stop() {
    queue.cancel()
  }

  /// Enqueues files as far as the budget allows; returns whether to continue.
  private func enqueue(_ items: [VerificationItem]) -> Bool {
    let allowed = items.prefix { item in !shouldStop() && budget.allows(item) }
    guard queue.enqueue(Array(allowed)), !shouldStop() else { return false }
    guard allowed.count < items.count else { return true }
    isBudgetExhausted.store(true, ordering: .sequentiallyConsistent)
    return false
  }

  private func countIntact(_ count: Int) {
    if count > 0 { intact.add(count, ordering: .relaxed) }
  }

  private func work() {
    var reader = SegmentReader(progress: progress, shouldStop: shouldStop)
    while !shouldStop(), let work = queue.dequeue() {
      switch work {
      case .files(let items):
        let found = inspect(items, &reader)
        queue.finishBatch()
        results.append(found)
      case .segments(let open, let range):
        if let end = open.verify(range, &reader),
          let result = verifier.combine(open, at: end, reader: &reader)
        {
          open.releaseClaim()
          results.append([result])
        }
      }
    }
    if shouldStop() { queue.cancel() }
  }

  /// Inspects the files of a batch, grouped by root. The marker of a root is read once for each
  /// group, and once more for every negative result.
  private func inspect(
    _ items: [VerificationItem], _ reader: inout SegmentReader
  ) -> [VerificationResult] {
    var found: [VerificationResult] = []
    var rest = items[...]
    while let uuid = rest.first?.recordedFile.root, !shouldStop() {
      let group = rest.prefix { $0.recordedFile.root == uuid }
      rest = rest.dropFirst(group.count)
      do {
        let root = try verifier.mediaRoots.root(uuid)
        let held = try VerifiedRoot(root)
        var intact = 0
        defer { countIntact(intact) }
        for item in group where !shouldStop() {
          switch verifier.begin(item, in: root, open: held, reader: &reader) {
          case .done(let result):
            if settings.reportsIntact || result.verdict != .intact || result.recordVerdict != nil {
              found.append(result)
            } else {
              intact += 1
            }
          case .opened(let open): queue.enqueue(open)
          case .stopped: return found
          }
        }
      } catch {
        found += group.map { verifier.unreachable($0, error) }
      }
    }
    return found
  }
}

/// The remaining budget of a run.
struct VerificationBudget: Sendable {
  private let limit: Int64
  private let deadline: Deadline?
  private let startedBytes = Monitor<Int64>(0)

  init(_ settings: VerificationSettings) {
    limit = settings.budget?.bytes ?? .max
    deadline = settings.milliseconds.map { Deadline(milliseconds: $0) }
  }

  /// Whether another file may be begun. Its bytes are then subtracted from the budget.
  ///
  /// The last file may exceed the remaining budget. Otherwise a large file would never be verified.
  func allows(_ item: VerificationItem) -> Bool {
    if let deadline, deadline.isPast { return false }
    return startedBytes.withLock { begun in
      guard begun < limit else { return false }
      begun = begun.addingClamped(item.recordedFile.size?.bytes ?? 0)
      return true
    }
  }
}
