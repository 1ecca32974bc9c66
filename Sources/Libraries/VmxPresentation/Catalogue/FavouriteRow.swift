package import VmxModel

/// The fields of a favourite show.
package enum FavouriteField: String, ListingField {
  case id, row, show, title, tvmaze, added, outcome, source
  case sourceURL = "source_url"

  package static let defaultFields: [FavouriteField] = [.id, .title, .tvmaze, .added]
  package static let recorded = allCases.filter { $0 != .outcome }

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The show, as the first half of the ids of its episodes")
    case .row: .row("favourite")
    case .show: FieldKey(.text, "The same as the id")
    case .title: FieldKey(.text, "The title", .end)
    case .tvmaze: FieldKey(.number, "The id at TVMaze")
    case .added: FieldKey(.time, "The time when it became a favourite")
    case .outcome: .outcome
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }
}

/// A favourite show, as a row of output.
package struct FavouriteRow: ResultRow {
  package let id: String
  private let show: LibraryShow
  package let result: OperationResult?
  package let stage: String
  private let now: Timestamp

  /// Creates the row of a favourite.
  ///
  /// - Parameters:
  ///   - result: the result of a change; nil in a list.
  ///   - stage: the name of the tool.
  package init(_ show: LibraryShow, _ result: OperationResult?, stage: String, now: Timestamp) {
    id = show.slug
    self.show = show
    self.result = result
    self.stage = stage
    self.now = now
  }

  package func value(_ field: FavouriteField) -> RowValue {
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
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, [id, exact(.title)], terminal)
  }
}
