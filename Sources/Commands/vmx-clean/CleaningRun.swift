import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore

/// One run: plans steps and performs them, or performs the steps of a given plan that are still
/// valid.
struct CleaningRun {
  let store: LibraryStore
  let planner: CleaningPlanner
  let reporter: CleaningReporter
  let context: CommandContext
  let cache: FilePath?
  let writesNFO: Bool
  let shouldStop: @Sendable () -> Bool

  /// Performs the run.
  ///
  /// - Parameter rows: the rows of a given plan; nil to plan new steps.
  /// - Throws: `WorkEnded.interrupted`, `lock-busy`, and errors of the store.
  func perform(_ rows: PlannedRows?, isDryRun: Bool) throws {
    for (failure, place) in rows?.bad ?? [] { reporter.reportBadLine(failure, at: place) }
    if let rows, rows.rows.isEmpty { return }
    if let problem = try planner.clockProblem() {
      context.messages.note("\(problem.summary): nothing expires and nothing is purged")
    }
    let steps = try planner.steps()
    if isDryRun, rows == nil {
      for step in steps {
        if let failure = step.failure {
          try reporter.report(step, .failed(failure), received: JSONObject())
        } else {
          try reporter.plan(step)
        }
      }
      return
    }
    if steps.isEmpty, rows == nil { return }
    guard let job = try store.tryJob(.cleaning) else {
      throw Failure(.lockBusy, "another 'vmx clean' is at work")
    }
    defer { job.release() }
    if let rows {
      try apply(rows.rows, PlanComparison(steps), isDryRun: isDryRun)
    } else {
      try executor.perform(steps) { try reporter.report($0, $1, received: JSONObject()) }
    }
  }

  private var executor: CleanupExecutor {
    CleanupExecutor(
      store: store, clock: context.clock, cache: cache, writesNFO: writesNFO,
      shouldStop: shouldStop)
  }

  private func apply(
    _ rows: [PlannedRows.Row], _ comparison: PlanComparison, isDryRun: Bool
  ) throws {
    var left: [PlannedRows.Row] = []
    for row in rows {
      if let refusal = comparison.refusal(of: row.step) {
        try reporter.report(row.step, .failed(refusal), received: row.received)
      } else if isDryRun {
        try reporter.plan(row.step)
      } else {
        left.append(row)
      }
    }
    var next = left[...]
    try executor.perform(left.map(\.step)) { step, outcome in
      try reporter.report(step, outcome, received: next.popFirst()?.received ?? JSONObject())
    }
  }
}
