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
    case .title: FieldKey(.text, "The title", fitting: .end)
    case .tvmaze: FieldKey(.number, "The id at TVMaze")
    case .added: FieldKey(.time, "The time when it became a favourite")
    case .outcome: .outcome
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }
}
