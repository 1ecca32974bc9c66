import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving

/// The list of operations that can be undone.
struct StepList {
  let runs: [UndoRun]
  let now: Timestamp

  /// Prints the operations, latest first; for named operations, their journal entries.
  ///
  /// - Throws: `undo-impossible` for an unknown name; `output-failed`.
  func print(
    _ form: OutputForm<StepListField>, named names: [String], in context: CommandContext
  ) throws {
    var listing = Listing<StepListRow>(form, to: context.output, context.terminal)
    for name in names where !runs.contains(where: { $0.run.id == name }) {
      throw Failure(.undoImpossible, "there is no step '\(name)'", hint: "see 'vmx undo --list'")
    }
    for run in runs where names.isEmpty || names.contains(run.run.id) {
      if names.isEmpty {
        try listing.row(row(of: run))
      } else {
        for row in run.rows { try listing.row(self.row(of: row)) }
      }
    }
    try listing.end()
  }

  private func row(of run: UndoRun) -> StepListRow {
    let reasons = Set(run.rows.map(\.reason))
    return StepListRow(
      id: run.run.id, tool: run.run.tool, at: run.run.at, count: run.rows.count, bytes: run.bytes,
      state: run.isOpen ? "open" : run.rows.last?.word ?? "",
      reason: reasons.count == 1 ? reasons.first ?? "" : "", now: now)
  }

  private func row(of row: JournalEntry) -> StepListRow {
    StepListRow(
      id: row.id, tool: row.run.tool, at: row.run.at, count: 1,
      bytes: row.canBeUndone ? row.bytes : 0, state: row.word, reason: row.reason, now: now)
  }
}

extension JournalEntry {
  /// Its state, in one word.
  fileprivate var word: String {
    if canBeUndone { return "open" }
    return isPermanent && state != .undone ? "permanent" : state.rawValue
  }
}
