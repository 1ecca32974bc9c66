package import VmxModel
package import VmxStore

/// One run of the cleanup: plans steps and executes them, or executes the steps of a given plan
/// that are still valid.
package struct CleaningRun {
  private let store: LibraryStore
  private let planner: CleaningPlanner
  private let executor: CleanupExecutor

  /// Creates a run.
  package init(store: LibraryStore, planner: CleaningPlanner, executor: CleanupExecutor) {
    self.store = store
    self.planner = planner
    self.executor = executor
  }

  /// Plans the steps and executes them.
  ///
  /// - Parameters:
  ///   - isPlan: whether the steps are only planned, as in a dry run.
  ///   - confirm: receives all steps before the first one is executed; an error that it throws
  ///     ends the run before anything is changed.
  ///   - report: receives each step with its result, which is durable by then.
  /// - Throws: `free-unreachable`, `WorkEnded.interrupted`, `lock-busy`, errors of the store and of
  ///   the closures.
  package func perform(
    isPlan: Bool, confirm: ([CleaningStep]) throws -> Void,
    report: (CleaningStep, OperationResult) throws -> Void
  ) throws {
    let steps = try planner.steps()
    if isPlan || store.isDryRun {
      for step in steps { try report(step, executor.prediction(of: step)) }
    } else if !steps.isEmpty {
      try confirm(steps)
      try withJobLock {
        try executor.perform(steps, report: report)
        // A file found under another name, as after a crash, is also renamed to the name of its
        // record.
        if planner.options.renaming != nil, steps.contains(where: { $0.kind == .recordMoved }) {
          let known = Set(steps.filter { $0.kind == .rename }.map(\.key))
          let more = try planner.steps().filter { $0.kind == .rename && !known.contains($0.key) }
          try executor.perform(more, report: report)
        }
      }
    }
  }

  /// Executes the steps of a plan that a new plan also contains.
  ///
  /// - Parameter report: receives also the index of the step.
  /// - Throws: as `perform`.
  package func apply(
    _ steps: [CleaningStep],
    report: (_ index: Int, CleaningStep, OperationResult) throws -> Void
  ) throws {
    let comparison = PlanComparison(try planner.steps())
    try withJobLock {
      var valid: [Int] = []
      for (index, step) in steps.enumerated() {
        if let refusal = comparison.refusal(of: step) {
          try report(index, step, .failed(refusal))
        } else if store.isDryRun {
          try report(index, step, executor.prediction(of: step))
        } else {
          valid.append(index)
        }
      }
      var next = valid[...]
      try executor.perform(valid.map { steps[$0] }) { step, result in
        if let index = next.popFirst() { try report(index, step, result) }
      }
    }
  }

  private func withJobLock(_ body: () throws -> Void) throws {
    guard let job = try store.tryJob(.cleaning) else {
      throw Failure(.lockBusy, "another 'vmx clean' is running")
    }
    defer { job.release() }
    try body()
  }
}

/// Compares the rows of a plan with the steps that a plan made now would contain.
private struct PlanComparison {
  private let currentSteps: [CleaningStep.Key: CleaningStep]

  /// - Parameter fresh: the steps of a plan made now, with files without a record moved to the
  ///   trash.
  init(_ fresh: [CleaningStep]) {
    self.currentSteps = Dictionary(
      fresh.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the failure of a step that a plan made now would not contain; nil if the step may be
  /// executed.
  ///
  /// Removals by rule, renames, joins and purges of the trash are the user's choice. For those,
  /// only the record or the trash entry is checked, when they are executed.
  func refusal(of step: CleaningStep) -> Failure? {
    switch step.kind {
    case .remove, .rename, .purgeTrash, .unknownFile, .reachRoot, .recordLost, .moveFiles,
      .join:
      return nil
    case .unreadable: return currentSteps[step.key]?.failure
    default:
      guard let now = currentSteps[step.key] else {
        return step.changed("nothing refers to it any longer")
      }
      return step.isSame(as: now) ? nil : step.changed("it has changed")
    }
  }
}
