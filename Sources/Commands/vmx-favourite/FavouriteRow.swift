import VmxModel
import VmxPresentation

/// A favourite show, as a row of output.
struct FavouriteRow: ResultRow {
  let id: String
  private let show: LibraryShow
  let result: OperationResult?
  let stage: String
  private let now: Timestamp

  /// Creates the row of a favourite.
  ///
  /// - Parameters:
  ///   - result: the result of a change; nil in a list.
  ///   - stage: the name of the tool.
  init(_ show: LibraryShow, _ result: OperationResult?, stage: String, now: Timestamp) {
    id = show.slug
    self.show = show
    self.result = result
    self.stage = stage
    self.now = now
  }

  func value(_ field: FavouriteField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .row: .word(RowKind.favourite.rawValue)
    case .show: .text(nonEmpty: show.slug)
    case .title: .text(nonEmpty: show.title)
    case .tvmaze: .number(show.tvmaze)
    case .added: .time(show.added, relativeTo: now).styled(.dim)
    case .outcome: outcome
    case .source: .text(show.tvmaze.map { _ in CatalogueSource.name })
    case .sourceURL: .text(nonEmpty: show.page)
    }
  }

  /// Formats one line: result, slug, title.
  func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, texts: [id, exact(.title)], on: terminal)
  }
}
