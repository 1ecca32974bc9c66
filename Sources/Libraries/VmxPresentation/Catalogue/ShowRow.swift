package import VmxModel

/// The fields of a show of the catalogue.
package enum ShowField: String, ListingField {
  case id, row, title, show, type, language, genres, status, premiered, ended
  case duration = "duration_ms"
  case network
  case webChannel = "web_channel"
  case schedule, country, rating, site, imdb, tvdb, tvrage, image
  case imageFile = "image_file"
  case summary, updated, source
  case sourceURL = "source_url"

  package static let defaultFields: [ShowField] = [
    .id, .title, .premiered, .status, .network, .genres,
  ]

  package var column: Column {
    switch self {
    case .title: Column(heading, .left, .end, importance: 2)
    case .id: Column(heading, .right, importance: 3)
    case .premiered: Column(heading, importance: 1)
    case .network, .genres, .summary: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// A show of the catalogue, as a row of output.
package struct ShowRow: ListingRow {
  private let show: CatalogueShow
  private let slug: Slug
  private let imageFile: String?

  /// Creates the row of a show.
  ///
  /// - Parameters:
  ///   - slug: the first half of the ids of its episodes.
  ///   - imageFile: the path of its poster in the cache.
  package init(_ show: CatalogueShow, slug: Slug, imageFile: String? = nil) {
    self.show = show
    self.slug = slug
    self.imageFile = imageFile
  }

  package var id: String { "\(show.id)" }

  package func cell(_ field: ShowField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .duration: Cell(show.duration.map(PlayingTime.text) ?? "")
    case .premiered: Cell(show.premiered?.description ?? "", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: ShowField) -> String {
    if field == .id { return CatalogueID.text(ofShow: id) }
    return switch json(field) {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    case .array(let values)?: values.compactMap(\.string).joined(separator: ", ")
    default: ""
    }
  }

  package func json(_ field: ShowField) -> JSONValue? {
    switch field {
    case .id: .string(id)
    case .row: "show"
    case .title: .string(show.title)
    case .show: .string(slug.description)
    case .genres: show.genres.isEmpty ? nil : .array(show.genres.map { .string($0) })
    case .duration: show.duration.map { .integer($0) }
    case .rating: show.rating?.json
    case .tvdb: show.tvdb.map { .integer($0) }
    case .tvrage: show.tvrage.map { .integer($0) }
    case .source: .string(CatalogueSource.name)
    default: text(field).map { .string($0) }
    }
  }

  private func text(_ field: ShowField) -> String? {
    switch field {
    case .type: show.type
    case .language: show.language
    case .status: show.status
    case .premiered: show.premiered?.description
    case .ended: show.ended?.description
    case .network: show.network
    case .webChannel: show.webChannel
    case .schedule: show.schedule
    case .country: show.country
    case .site: show.site
    case .imdb: show.imdb
    case .image: show.image?.best
    case .imageFile: imageFile
    case .summary: show.summary
    case .updated: show.updated?.text
    case .sourceURL: show.page
    default: nil
    }
  }

  /// All details of the show as labelled lines.
  package var details: Details {
    var lines: [Details.Line] = []
    for field in ShowField.allCases where ![.row, .title, .summary, .source].contains(field) {
      let text = field == .genres ? exact(field) : cell(field).text
      if !text.isEmpty { lines.append(Details.Line(field.label, text)) }
    }
    if let summary = show.summary { lines.append(Details.Line("summary", prose: summary)) }
    return Details(heading: show.title, lines: lines)
  }
}
