import VmxModel
import VmxPresentation

/// An episode of the catalogue, as a row of output.
struct CatalogueEpisodeRow: ListingRow {
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
  init(
    _ episode: CatalogueEpisode, of show: CatalogueShow, slug: Slug, imageFile: String? = nil
  ) {
    self.episode = episode
    self.show = show
    self.slug = slug
    self.imageFile = imageFile
  }

  var id: String { episode.episodeID(show: slug).description }

  func value(_ field: CatalogueEpisodeField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .title: .text(episode.title)
    case .show: .text(slug.description)
    case .showTitle: .text(show.title)
    // Like file names and other programs, this puts specials into season 0.
    case .season: .number(episode.isSpecial ? 0 : episode.season)
    case .number: .number(episode.number)
    case .date: .text(episode.date?.description).styled(.dim)
    case .airs: .time(episode.airs)
    case .duration: .duration(episode.duration).styled(.dim)
    case .language: .text(show.language)
    case .type: .text(episode.type)
    case .rating: .decimal(episode.rating)
    case .summary: .text(episode.summary)
    case .want: .word(Want.none.rawValue)
    case .parts: .object(.array(parts.map { .object($0) }), text: "")
    case .imageFile: .text(imageFile)
    case .tvmaze: .number(episode.id)
    case .tvmazeShow: .number(show.id)
    case .source: .text(CatalogueSource.name)
    case .sourceURL: .text(episode.page ?? show.page)
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
  var details: Details {
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
