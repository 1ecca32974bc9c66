/// The fields of an episode in listings; the names are those of the JSON record where both have
/// the field.
package enum EpisodeField: String, ListingField {
  case id, rev, title, show, season, number, date, summary, want, state, code, reason, until, lacks
  case showTitle = "show_title"
  case priority, place, after, keep, watched, expires, added
  case meteredOK = "metered_ok"
  /// Every part; only JSON shows more than their names.
  case parts
  /// The file of the video.
  case path
  /// Bytes of the video, as far as known.
  case size
  /// Bytes of the video that are here.
  case held
  /// Whether a fetch would take it now.
  case due

  package static let usual: [EpisodeField] = [.id, .state, .size, .added, .title]

  package var column: Column {
    switch self {
    case .id: Column("ID")
    case .title: Column("TITLE", isFlexible: true)
    case .summary: Column("SUMMARY", isFlexible: true)
    case .path: Column("PATH", isFlexible: true)
    case .rev, .season, .number, .priority, .place, .size, .held: Column(heading, .right)
    default: Column(heading)
    }
  }

  private var heading: String {
    rawValue.uppercased().split(separator: "_").joined(separator: " ")
  }
}
