package import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// Any other process may change the store or a file between the planning and the execution of a
// step. So each step first checks again the state on which it is based: the record's `rev`, or the
// file's size, modification time and inode. If the state differs, the step fails with
// `plan-changed`.
//
// A file is removed only while the marker of its root can be read. Partial downloads that can be
// resumed are removed only under the claim of their episode. Every step is idempotent, and a crash
// leaves each step either done or not done.

/// Executes the steps of a plan.
package struct CleanupExecutor: Sendable {
  let removal: EpisodeRemover
  let cache: FilePath?
  let sidecars: SidecarWriter
  var store: LibraryStore { removal.store }
  var mediaRoots: MediaRoots { removal.mediaRoots }
  var clock: any WallClock { removal.clock }
  var naming: NameTemplate { removal.tools.naming }
  var shouldStop: @Sendable () -> Bool { removal.tools.shouldStop }

  /// Creates an executor whose removals belong to one operation, which `vmx undo` reverts as a
  /// whole.
  ///
  /// - Parameter cache: the folder of data that can be fetched again; nil if there is none.
  package init(_ tools: LibraryTools, cache: FilePath? = nil) {
    self.cache = cache
    sidecars = tools.sidecars
    // Does not wait for an episode that another worker has claimed: that worker sees the removal
    // request and acts on it.
    removal = EpisodeRemover(tools)
  }

  /// Executes steps in order; consecutive steps of one kind run as one batch.
  ///
  /// - Parameter report: receives the result of each step after it is durable.
  /// - Throws: the errors of `report`, errors that concern the whole store, and
  ///   `WorkEnded.interrupted`.
  package func perform(
    _ steps: [CleaningStep], report: (CleaningStep, OperationResult) throws -> Void
  ) throws {
    var rest = steps[...]
    while let first = rest.first {
      if shouldStop() { throw WorkEnded.interrupted }
      var batch = Array(rest.prefix(Self.maxBatchSize(first)).prefix { $0.canBatch(with: first) })
      rest = rest.dropFirst(batch.count)
      let results = try results(of: &batch, first)
      for (step, result) in zip(batch, results) { try report(step, result) }
      // The last batch may also have been interrupted.
      if results.contains(where: { $0.failure?.code == .interrupted }) {
        throw WorkEnded.interrupted
      }
    }
  }

  /// Returns the result of a step in a plan: `planned` unless its execution changes nothing.
  func prediction(of step: CleaningStep) -> OperationResult {
    if let failure = step.failure { return .failed(failure) }
    return step.reportOnly ?? .planned
  }

  private func results(
    of steps: inout [CleaningStep], _ first: CleaningStep
  ) throws -> [OperationResult] {
    switch first.kind {
    case .remove, .expire: try remove(&steps, first)
    case .recordMissing, .recordMoved: try record(steps)
    case .recordLost: try recordLost(steps)
    case .forgetStep: try deleteJournalEntries(steps)
    case .rename: try rename(steps)
    case .moveFiles: try moveFiles(steps)
    default: try steps.map { try result(of: $0) }
    }
  }

  private func result(of step: CleaningStep) throws -> OperationResult {
    if let failure = step.failure { return .failed(failure) }
    if let result = step.reportOnly { return result }
    do {
      switch step.kind {
      case .reachRoot: return try reach(step)
      case .finishRemoval: return try finish(step)
      case .finishMove: return try finishMove(step)
      case .adopt: return try adopt(step)
      case .writeSidecar: return try writeSidecar(step)
      case .discardFile: return try discard(step)
      case .finishDiscard:
        return try removal.finishDiscard(step.name ?? "") ? .done : .unchanged()
      case .dropPartial, .dropDraft, .dropOriginal, .dropSidecar: return try deleteFile(step)
      case .removeFolder: return try removeFolder(step)
      case .purgeTrash: return try purge(step)
      case .dropCache: return try deleteCached(step)
      case .request: return try request(step)
      case .join: return try join(step)
      case .compact: return OperationResult(isChanged: try store.compactIfNeeded())
      case .remove, .expire, .recordMissing, .recordLost, .recordMoved, .forgetStep, .rename,
        .moveFiles, .unknownFile, .unreadable:
        fatalError("these steps are done in batches, or report only")
      }
    } catch WorkEnded.interrupted {
      throw WorkEnded.interrupted
    } catch {
      return OperationResult(Failure(error))
    }
  }

  /// The maximum size of a batch. It keeps the store lock brief, and the run can be interrupted
  /// between two batches.
  private static func maxBatchSize(_ step: CleaningStep) -> Int {
    switch step.kind {
    case .remove, .expire: 64
    case .rename: FileRenamer.maxBatchSize
    case .recordMissing, .recordLost, .recordMoved, .forgetStep: VerificationRecorder.maxBatchSize
    default: 1
    }
  }
}

extension CleaningStep {
  /// Whether both steps may be in one batch.
  fileprivate func canBatch(with other: CleaningStep) -> Bool {
    kind == other.kind && (explanation == other.explanation || kind == .rename)
      && reason == other.reason
      && isPermanent == other.isPermanent && root == other.root
  }

  /// The result of a step that only reports; nil for a step that changes something.
  fileprivate var reportOnly: OperationResult? {
    switch kind {
    case .unknownFile: .unchanged(hint: hintOfUnknownFile)
    // In a plan's row that was unreadable when the plan was made.
    case .unreadable: .unchanged(hint: "it is readable now; run the command again")
    default: nil
    }
  }

  /// The hint for a file that no record references.
  fileprivate var hintOfUnknownFile: String {
    guard let path, LibraryLayout.Folder.trash.contains(path) else {
      return ErrorCode.fileUnknown.entry.hint
    }
    return "move it out of the trash to keep it; it is deleted permanently after 'trash.keep'"
  }

  /// Returns the `plan-changed` failure that names the change.
  func changed(_ what: String) -> Failure {
    Failure(.planChanged, "\(what) since the step was planned: '\(id)'")
  }
}
