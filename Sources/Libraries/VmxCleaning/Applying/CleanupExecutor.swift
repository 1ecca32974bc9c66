package import SystemPackage
import VmxDigest
import VmxImporting
import VmxJobs
package import VmxModel
package import VmxStore
package import VmxPresentation
import VmxSystem

// Between the look and the step anything may have happened. So each step looks once more at what it
// was decided by, the record's `rev` or the file's size, time and number, and is refused as
// `plan-changed` where that is no longer so. A file is removed only while its root shows its mark,
// and bytes that could be gone on with only under the claim of their episode. Every step may be
// done twice, and a crash leaves each done or not done.

/// Does the steps of a plan.
package struct CleanupExecutor: Sendable {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let clock: any WallClock
  let removal: EpisodeRemover
  let cache: FilePath?
  let sidecars: SidecarWriter
  let shouldStop: @Sendable () -> Bool

  /// A desk whose removals all belong to one run, which `vmx undo` takes back together.
  ///
  /// - Parameters:
  ///   - cache: the folder of what can be had again; nil where there is none.
  ///   - writesNFO: whether an NFO file is written beside each video.
  package init(
    store: LibraryStore, clock: any WallClock, cache: FilePath?, writesNFO: Bool,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.clock = clock
    self.cache = cache
    self.shouldStop = shouldStop
    mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
    sidecars = SidecarWriter(mediaRoots: mediaRoots, nfo: NFOSource(isWanted: writesNFO))
    // An episode in work is not waited for: whoever has it sees that it is to go.
    removal = EpisodeRemover(
      store: store, mediaRoots: mediaRoots, clock: clock,
      run: Operation(tool: "clean", at: clock.now),
      patience: 0
    ) { path in
      try FileDigest.of(path, shouldStop: shouldStop).whole
    }
  }

  /// Does steps in their order, those of one kind together.
  ///
  /// - Parameter report: told what became of each, durable by then.
  /// - Throws: what the report throws, what concerns the whole store, and `WorkEnded.interrupted`.
  package func perform(
    _ steps: [CleaningStep], report: (CleaningStep, Outcome) throws -> Void
  ) throws {
    var rest = steps[...]
    while let first = rest.first {
      if shouldStop() { throw WorkEnded.interrupted }
      let batch = Array(rest.prefix(Self.largest(first)).prefix { $0.goesTogether(with: first) })
      rest = rest.dropFirst(batch.count)
      let outcomes = try outcomes(of: batch, first)
      for (step, outcome) in zip(batch, outcomes) { try report(step, outcome) }
      // The last batch can be cut short as well.
      if outcomes.contains(where: { $0.failure?.code == .interrupted }) {
        throw WorkEnded.interrupted
      }
    }
  }

  private func outcomes(of steps: [CleaningStep], _ first: CleaningStep) throws -> [Outcome] {
    switch first.kind {
    case .remove, .expire: try remove(steps, first)
    case .recordMissing, .recordMoved: try record(steps)
    case .forgetStep: try forget(steps)
    default: try steps.map { try outcome(of: $0) }
    }
  }

  private func outcome(of step: CleaningStep) throws -> Outcome {
    if let failure = step.failure { return .failed(failure) }
    do {
      switch step.kind {
      case .reachRoot: return try reach(step)
      case .unreadable: return .unchanged(hint: Self.readableHint)
      case .finishRemoval: return try finish(step)
      case .adopt: return try adopt(step)
      case .writeSidecar: return try writeSidecar(step)
      case .unknownFile: return .unchanged(hint: step.hintOfUnknownFile)
      case .discardFile: return try discard(step)
      case .finishDiscard:
        return try removal.finishDiscard(step.name ?? "") ? .done : .unchanged(hint: nil)
      case .dropPartial, .dropDraft, .dropOriginal, .dropSidecar: return try drop(step)
      case .removeFolder: return try removeFolder(step)
      case .purgeTrash: return try purge(step)
      case .dropCache: return try dropCached(step)
      case .compact: return try store.compactIfWorthwhile() ? .done : .unchanged(hint: nil)
      case .remove, .expire, .recordMissing, .recordMoved, .forgetStep:
        fatalError("these steps are done in batches")
      }
    } catch WorkEnded.interrupted {
      throw WorkEnded.interrupted
    } catch {
      return .of(Failure(error))
    }
  }

  /// The hint of a plan's row about something that could not be read, and can be read now.
  private static let readableHint = "it can be read now: run the command again"

  /// Steps at once: a lock is held but a moment, and an interruption comes between two batches.
  private static func largest(_ step: CleaningStep) -> Int {
    switch step.kind {
    case .remove, .expire: 64
    case .recordMissing, .recordMoved, .forgetStep: VerificationRecorder.largestBatch
    default: 1
    }
  }
}

extension CleaningStep {
  /// Whether both may be done in one go.
  fileprivate func goesTogether(with other: CleaningStep) -> Bool {
    kind == other.kind && why == other.why && isPermanent == other.isPermanent
      && root == other.root
  }

  /// What to do about a file that no record knows.
  fileprivate var hintOfUnknownFile: String {
    guard let text = path?.words, text.hasPrefix(".vmx/trash/") else {
      return ErrorCode.fileUnknown.entry.hint
    }
    return "take it out of the trash to keep it; it goes for good after 'trash.keep'"
  }

  /// What is no longer as it was planned.
  func changed(_ what: String) -> Failure {
    Failure(.planChanged, "\(what) since the step was planned: '\(id)'")
  }
}

extension Outcome {
  /// What a failure comes to: what passes by itself is waited for.
  static func of(_ failure: Failure) -> Outcome {
    if case .wait = failure.code.entry.retry { return .waiting(failure) }
    return failure.code == .lockBusy ? .waiting(failure) : .failed(failure)
  }
}
