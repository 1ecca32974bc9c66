import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore

extension CleaningOrder {
  /// Restricts the rules to the episodes of rows, if the user asked for rows; all rows are read
  /// before the first step.
  ///
  /// - Returns: the row of each of these episodes.
  /// - Throws: `input-missing`, and the errors of the store.
  mutating func restrict(
    to input: InputSelection<EpisodeID>, of store: LibraryStore,
    _ reporter: RowReporter<CleaningRow>, in context: CommandContext
  ) throws -> [EpisodeID: InputRow] {
    guard input.source == .rows else { return [:] }
    var rows: [EpisodeID: InputRow] = [:]
    let view = LibraryView(try store.snapshot(), try context.dueRule(), of: store)
    try view.forEachNamed(in: input, reporter: reporter) { episode, row in
      rows[episode.id] = row
      return true
    }
    rules.query.ids = Set(rows.keys)
    // A query without ids matches every episode, so no row must mean no rule.
    if rows.isEmpty { rules = RetentionRules() }
    return rows
  }
}
