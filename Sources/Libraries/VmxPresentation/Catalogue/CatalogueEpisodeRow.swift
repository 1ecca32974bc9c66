package import VmxModel

/// The fields of an episode of the catalogue. Fields that library episodes have too use the same
/// names, so that `vmx add` accepts the rows.
package enum CatalogueEpisodeField: String, ListingField {
  case id, title, show
  case showTitle = "show_title"
  case season, number, date, airs
  case duration = "duration_ms"
  case language, type, rating, summary, want, parts
  case imageFile = "image_file"
  case tvmaze
  case tvmazeShow = "tvmaze_show"
  case source
  case sourceURL = "source_url"

  package static let defaultFields: [CatalogueEpisodeField] = [.id, .date, .duration, .title]

  package var column: Column {
    switch self {
    case .title, .summary: Column(heading, .left, .end)
    case .duration: Column("DURATION", .right)
    case .season, .number: Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// An episode of the catalogue, as a row of output.
package struct CatalogueEpisodeRow: ListingRow {
  private let episode: CatalogueEpisode
  private let show: CatalogueShow
  private let slug: Slug
  private let imageFile: String?

  /// Creates the row of an episode.
  ///
  /// - Parameters:
  ///   - show: its show.
  ///   - slug: the first half of its id.
  ///   - imageFile: the path of its picture in the cache.
  package init(
    _ episode: CatalogueEpisode, of show: CatalogueShow, slug: Slug, imageFile: String? = nil
  ) {
    self.episode = episode
    self.show = show
    self.slug = slug
    self.imageFile = imageFile
  }

  package var id: String { episode.episodeID(show: slug).description }

  package func cell(_ field: CatalogueEpisodeField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .date: Cell(exact(.date), .dim)
    case .duration: Cell(episode.duration.map(PlayingTime.text) ?? "", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: CatalogueEpisodeField) -> String {
    switch json(field) {
    case .string(let text)?: text
    case .integer(let number)?: "\(number)"
    case .double(let number)?: "\(number)"
    default: ""
    }
  }

  package func json(_ field: CatalogueEpisodeField) -> JSONValue? {
    switch field {
    case .id: .string(id)
    case .title: .string(episode.title)
    case .show: .string(slug.description)
    case .showTitle: .string(show.title)
    // Like file names and other programs, this puts specials into season 0.
    case .season: episode.isSpecial ? 0 : episode.season.map { .integer($0) }
    case .number: episode.number.map { .integer($0) }
    case .date: episode.date.map { .string($0.description) }
    case .airs: episode.airs.map { .string($0.text) }
    case .duration: episode.duration.map { .integer($0) }
    case .language: show.language.map { .string($0) }
    case .type: episode.type.map { .string($0) }
    case .rating: episode.rating?.json
    case .summary: episode.summary.map { .string($0) }
    case .want: .string(Want.none.rawValue)
    case .parts: .array(parts.map { .object($0) })
    case .imageFile: imageFile.map { .string($0) }
    case .tvmaze: .integer(episode.id)
    case .tvmazeShow: .integer(show.id)
    case .source: .string(CatalogueSource.name)
    case .sourceURL: (episode.page ?? show.page).map { .string($0) }
    }
  }

  /// A video part without a source, and the picture.
  private var parts: [JSONObject] {
    let video = JSONObject(distinct: [("role", "video"), ("variants", .array([]))])
    guard let image = episode.image?.best else { return [video] }
    let variant = JSONObject(distinct: [("sources", .array([.string(image)]))])
    return [
      video, JSONObject(distinct: [("role", "image"), ("variants", .array([.object(variant)]))]),
    ]
  }

  /// All details of the episode as labelled lines.
  package var details: Details {
    var lines: [Details.Line] = []
    for field in CatalogueEpisodeField.allCases
    where ![.title, .show, .summary, .want, .parts, .source].contains(field) {
      let text = cell(field).text
      if !text.isEmpty { lines.append(Details.Line(field.label, text)) }
    }
    if let image = episode.image?.best { lines.append(Details.Line("image", image)) }
    if let summary = episode.summary { lines.append(Details.Line("summary", prose: summary)) }
    return Details(heading: episode.title, lines: lines)
  }
}
