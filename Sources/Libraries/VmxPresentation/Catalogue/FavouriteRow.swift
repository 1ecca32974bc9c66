package import VmxModel

/// The fields of a favourite show.
package enum FavouriteField: String, ListingField {
  case id, row, show, title, tvmaze, added, outcome, source
  case sourceURL = "source_url"

  package static let defaultFields: [FavouriteField] = [.id, .title, .tvmaze, .added]

  package var column: Column {
    switch self {
    case .title: Column(heading, .left, .end)
    case .tvmaze: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// A favourite show, as a row of output.
package struct FavouriteRow: ListingRow {
  package let id: String
  private let show: LibraryShow
  private let result: OperationResult?
  private let stage: String
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

  package func cell(_ field: FavouriteField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .added: Cell(show.added.map { TimeText.relative($0, to: now) } ?? "", .dim)
    case .outcome: Cell(exact(field), result?.style ?? .plain)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: FavouriteField) -> String {
    switch field {
    case .id: id
    case .row: "favourite"
    case .show: show.slug
    case .title: show.title ?? ""
    case .tvmaze: show.tvmaze.map { "\($0)" } ?? ""
    case .added: show.added?.text ?? ""
    case .outcome: result?.name ?? ""
    case .source: show.tvmaze == nil ? "" : CatalogueSource.name
    case .sourceURL: show.page ?? ""
    }
  }

  package func json(_ field: FavouriteField) -> JSONValue? {
    if field == .tvmaze { return show.tvmaze.map { .integer($0) } }
    return exact(field).isEmpty ? nil : .string(exact(field))
  }

  package func record(_ fields: [FavouriteField]?) -> JSONObject {
    var object = EpisodeJSON.head(id)
    for field in FavouriteField.allCases where ![.id, .outcome].contains(field) {
      object.append(field.rawValue, json(field))
    }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, slug, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    return Self.line(cell(.outcome), width: 9, [id, exact(.title)], terminal)
  }
}
