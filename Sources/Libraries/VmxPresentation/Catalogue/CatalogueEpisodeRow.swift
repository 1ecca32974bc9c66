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

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id that it would have in the library")
    case .title: FieldKey(.text, "The title", .end)
    case .show: FieldKey(.text, "The show, as the first half of the id")
    case .showTitle: FieldKey(.text, "The title of the show")
    case .season: FieldKey(.number, "The season; 0 for specials")
    case .number: FieldKey(.number, "The number within the season")
    case .date: FieldKey(.day, "The date of first showing")
    case .airs: FieldKey(.time, "The time of first showing")
    case .duration: FieldKey(.milliseconds, "The duration", heading: "DURATION")
    case .language: FieldKey(.text, "The main language of the show, as a BCP 47 tag")
    case .type: FieldKey(.text, "The kind of episode, as in the catalogue")
    case .rating: FieldKey(.decimal, "The average rating of viewers, from 0 to 10", side: .left)
    case .summary: FieldKey(.text, "The summary", .end)
    case .want: FieldKey(.word, "Always none")
    case .parts: FieldKey(.list, "A video without a source, and the image", keys: Self.partKeys)
    case .imageFile: .imageFile
    case .tvmaze: FieldKey(.number, "The id in the catalogue", side: .left)
    case .tvmazeShow: FieldKey(.number, "The id of the show in the catalogue", side: .left)
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }

  private static let partKeys = [
    JSONKey("parts[].role", .word, "video or image"),
    JSONKey("parts[].variants", .list, "The image; empty for the video"),
    JSONKey("parts[].variants[].sources", .list, "The URL of the image"),
  ]
}

extension FieldKey {
  /// The image of a row of the catalogue.
  static let imageFile =
    FieldKey(.text, "The absolute path of the image in the cache (--images)")
  /// The attribution that the licence of the catalogue requires.
  static let source = FieldKey(.text, "The catalogue; its licence requires attribution")
  static let sourceURL = FieldKey(.text, "The URL of its page in the catalogue")
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

  package func value(_ field: CatalogueEpisodeField) -> RowValue {
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
