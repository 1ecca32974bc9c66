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

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id in the catalogue", side: .right, importance: 3)
    case .row: .row("show")
    case .title: FieldKey(.text, "The title", fitting: .end, importance: 2)
    case .show: FieldKey(.text, "The first half of the ids of its episodes")
    case .type: FieldKey(.text, "The kind of show, as in the catalogue")
    case .language: FieldKey(.text, "The main language, as a BCP 47 tag")
    case .genres: FieldKey(.list, "The genres", fitting: .end)
    case .status: FieldKey(.text, "The status of the show, as in the catalogue")
    case .premiered: FieldKey(.day, "The date of the first episode", importance: 1)
    case .ended: FieldKey(.day, "The date of the last episode")
    case .duration: FieldKey(.milliseconds, "The usual duration", side: .left)
    case .network: FieldKey(.text, "The network or web channel", fitting: .end)
    case .webChannel: FieldKey(.text, "The web channel, also beside a network")
    case .schedule: FieldKey(.text, "The days and the local time of new episodes")
    case .country: FieldKey(.text, "The country of the network, as an ISO 3166 code")
    case .rating: FieldKey(.decimal, "The average rating of viewers, from 0 to 10", side: .left)
    case .site: FieldKey(.text, "The website of the show")
    case .imdb: FieldKey(.text, "The id at IMDb")
    case .tvdb: FieldKey(.number, "The id at TheTVDB", side: .left)
    case .tvrage: FieldKey(.number, "The id at TVRage", side: .left)
    case .image: FieldKey(.text, "The URL of the poster")
    case .imageFile: .imageFile
    case .summary: FieldKey(.text, "The summary", fitting: .end)
    case .updated: FieldKey(.time, "The time of the last change in the catalogue")
    case .source: .source
    case .sourceURL: .sourceURL
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

  package func value(_ field: ShowField) -> RowValue {
    switch field {
    case .id:
      .object(.string(id), text: CatalogueID.text(ofShow: id)).shown(Cell(id, .strong))
    case .row: .word(RowKind.show.rawValue)
    case .title: .text(show.title)
    case .show: .text(slug.description)
    case .type: .text(show.type)
    case .language: .text(show.language)
    case .genres: .list(nonEmpty: show.genres, separator: ", ")
    case .status: .text(show.status)
    case .premiered: .text(show.premiered?.description).styled(.dim)
    case .ended: .text(show.ended?.description)
    case .duration: .duration(show.duration)
    case .network: .text(show.network)
    case .webChannel: .text(show.webChannel)
    case .schedule: .text(show.schedule)
    case .country: .text(show.country)
    case .rating: .decimal(show.rating)
    case .site: .text(show.site)
    case .imdb: .text(show.imdb)
    case .tvdb: .number(show.tvdb)
    case .tvrage: .number(show.tvrage)
    case .image: .text(show.image?.best)
    case .imageFile: .text(imageFile)
    case .summary: .text(show.summary)
    case .updated: .time(show.updated)
    case .source: .text(CatalogueSource.name)
    case .sourceURL: .text(show.page)
    }
  }

  /// All details of the show as labelled lines.
  package var details: Details {
    var lines: [Details.Line] = []
    for field in ShowField.allCases where ![.row, .title, .summary, .source].contains(field) {
      let text = cell(field).text
      if !text.isEmpty { lines.append(Details.Line(field.label, text)) }
    }
    if let summary = show.summary { lines.append(Details.Line("summary", prose: summary)) }
    return Details(heading: show.title, lines: lines)
  }
}
