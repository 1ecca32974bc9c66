import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving

extension UndoRow {
  /// Creates the row of an operation.
  init(_ run: UndoRun, now: Timestamp) {
    self.init(
      id: run.run.id, tool: run.run.tool, at: run.run.at,
      state: run.isOpen ? "open" : run.rows.last?.word ?? "", now: now)
    let reasons = Set(run.rows.map(\.reason))
    reason = reasons.count == 1 ? reasons.first ?? "" : ""
    count = run.rows.count
    bytes = run.bytes
  }

  /// Creates the row of a journal entry.
  init(_ entry: JournalEntry, now: Timestamp) {
    self.init(
      id: entry.id, tool: entry.run.tool, at: entry.run.at, state: entry.word, now: now)
    bytes = entry.canBeUndone ? entry.bytes : 0
    reason = entry.reason
  }
}
