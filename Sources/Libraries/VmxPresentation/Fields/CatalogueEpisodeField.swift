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
    case .title: FieldKey(.text, "The title", fitting: .end)
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
    case .summary: FieldKey(.text, "The summary", fitting: .end)
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
    JSONKey("parts[].role", .word, meaning: "video or image"),
    JSONKey("parts[].variants", .list, meaning: "The image; empty for the video"),
    JSONKey("parts[].variants[].sources", .list, meaning: "The URL of the image"),
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
