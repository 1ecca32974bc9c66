package import VmxCommand
package import VmxModel
import VmxPresentation
import VmxStore

/// The episodes that a reading tool was asked for: by ids, by filters, by rows on standard input,
/// or all episodes.
package struct EpisodeSelection {
  private let ids: [String]
  private let filters: FilterOptions
  private let context: CommandContext

  /// Creates a selection from the command line.
  package init(_ ids: [String], _ filters: FilterOptions, in context: CommandContext) {
    self.ids = ids
    self.filters = filters
    self.context = context
  }

  /// Calls the closure with each selected episode until it returns false. The order is that of
  /// adding, or that of the rows on standard input.
  ///
  /// An unknown id or an invalid line is reported at once; the remaining episodes follow.
  ///
  /// - Returns: the exit status for these errors.
  /// - Throws: the errors of the closure; `input-missing` if standard input cannot be read.
  package func forEach(
    in view: LibraryView, _ body: (Episode) throws -> Bool
  ) throws -> ExitStatus {
    let typed = !ids.isEmpty || !filters.isEmpty
    if RecordInput.isOffered(by: context.input, selectionTyped: typed) {
      return try forEachRow(in: view, body)
    }
    var tally = Tally()
    var query = filters.query(try context.dueRule())
    if ids.isEmpty, !filters.includesRemoved { query.wants = Want.present }
    for id in ids {
      do {
        query.ids.insert(try view.episode(named: id).id)
        tally.count(.done)
      } catch let failure as Failure {
        context.messages.report(failure)
        tally.count(.failed(failure))
      }
    }
    if ids.isEmpty || !query.ids.isEmpty {
      try view.snapshot.episodes(matching: query, body)
    }
    return tally.status
  }

  private func forEachRow(
    in view: LibraryView, _ body: (Episode) throws -> Bool
  ) throws -> ExitStatus {
    var tally = Tally()
    var rows = EpisodeInput(RecordInput(context.input))
    var isEmpty = true
    var goesOn = true
    while goesOn, let row = try rows.next() {
      isEmpty = false
      switch row {
      case .wish(let wish):
        do {
          goesOn = try body(try view.episode(named: wish.id.description))
          tally.count(.done)
        } catch let failure as Failure where failure.code == .noSuchEpisode {
          context.messages.report(failure, at: wish.place)
          tally.count(.failed(failure))
        }
      case .passing(let object):
        guard context.isJSON else { continue }
        try context.output.write(JSONText.line(object, escaping: context.terminal.isTerminal))
      case .bad(let failure, let place):
        context.messages.report(failure, at: place)
        tally.countBadLine()
      }
    }
    if isEmpty { context.messages.note("standard input has no rows; nothing to do") }
    return tally.status
  }
}
