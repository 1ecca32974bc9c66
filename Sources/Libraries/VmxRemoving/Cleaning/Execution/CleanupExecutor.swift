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
    return switch step.action {
    case .unknownFile(let file): .unchanged(hint: file.hintOfUnknown)
    // In a plan's row that was unreadable when the plan was made.
    case .unreadable, .unreadableCache:
      .unchanged(hint: "it is readable now; run the command again")
    default: .planned
    }
  }

  private func results(
    of steps: inout [CleaningStep], _ first: CleaningStep
  ) throws -> [OperationResult] {
    switch first.action {
    case .remove(_, let reason, let isPermanent):
      try remove(
        &steps, RemovalOptions(reason, first.explanation, isPermanent: isPermanent))
    case .expire(_, let reason):
      try remove(
        &steps,
        RemovalOptions(
          reason.flatMap { $0.isPermanent ? $0 : nil } ?? .expired, first.explanation))
    case .recordMissing, .recordMoved: try record(steps)
    case .recordLost(_, let root): try recordLost(steps, root: root)
    case .forgetStep: try deleteJournalEntries(steps)
    case .rename: try rename(steps)
    case .moveFiles: try moveFiles(steps)
    case .unknownFile, .unreadable, .unreadableCache: [prediction(of: first)]
    case .reachRoot(let root): try single(first) { try reach(root) }
    case .finishRemoval(let episode): try single(first) { try removal.finish(episode.id).result }
    case .finishMove(let id, let part, let file, let entry):
      try single(first) { try finishMove(first, id, part: part, file: file, entry: entry) }
    case .adopt(let id, _, let file, let sha256):
      try single(first) { try adopt(first, id, file: file, sha256: sha256) }
    case .writeSidecar(let id, _): try single(first) { try writeSidecar(first, id) }
    case .writeShow(let root, let path):
      try single(first) { try writeShow(first, at: path, root: root) }
    case .discardFile(let file): try single(first) { try discard(first, file) }
    case .finishDiscard(let entry):
      try single(first) { try removal.finishDiscard(entry) ? .done : .unchanged() }
    case .dropPartial(let file, let id), .dropSidecar(let file, let id):
      try single(first) { try deleteFile(first, file, of: id) }
    case .dropDraft(let file), .dropOriginal(let file):
      try single(first) { try deleteFile(first, file, of: nil) }
    case .removeFolder(let root, let path):
      try single(first) { try removeFolder(first, path, root: root) }
    case .purgeTrash(let root, let entry):
      try single(first) { try purge(first, entry, root: root) }
    case .dropCache(let path, let mark):
      try single(first) { try deleteCached(first, path, mark: mark) }
    case .request(let episode): try single(first) { try request(first, episode) }
    case .join(let episode, let kept): try single(first) { try join(first, episode, into: kept) }
    case .compact: try single(first) { OperationResult(isChanged: try store.compactIfNeeded()) }
    }
  }

  /// Executes a step that is a batch by itself.
  private func single(
    _ step: CleaningStep, _ body: () throws -> OperationResult
  ) throws -> [OperationResult] {
    if let failure = step.failure { return [.failed(failure)] }
    do {
      return [try body()]
    } catch WorkEnded.interrupted {
      throw WorkEnded.interrupted
    } catch {
      return [OperationResult(Failure(error))]
    }
  }

  /// The maximum size of a batch. It keeps the store lock brief, and the run can be interrupted
  /// between two batches.
  private static func maxBatchSize(_ step: CleaningStep) -> Int {
    switch step.action {
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
    let (row, first) = (action.row, other.action.row)
    return row.kind == first.kind
      && (explanation == other.explanation || row.kind == .rename) && row.reason == first.reason
      && row.isPermanent == first.isPermanent && row.root == first.root
  }

  /// Returns the `plan-changed` failure that names the change.
  func changed(_ what: String) -> Failure {
    Failure(.planChanged, "\(what) since the step was planned: '\(id)'")
  }
}

extension PlannedFile {
  /// The hint for a file that no record references.
  fileprivate var hintOfUnknown: String {
    guard LibraryLayout.Folder.trash.contains(path) else {
      return ErrorCode.fileUnknown.entry.hint
    }
    return "move it out of the trash to keep it; it is deleted permanently after 'trash.keep'"
  }
}
