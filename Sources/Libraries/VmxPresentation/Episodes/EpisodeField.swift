import VmxModel

/// The fields of an episode in listings. A field that the JSON record has too has the same name
/// there.
package enum EpisodeField: String, ListingField {
  case id, rev, title, show
  case showTitle = "show_title"
  case season, number, date
  case duration = "duration_ms"
  case language, summary, want, state, code, reason, until, lacks, priority, place, after, keep
  case watched
  case meteredOK = "metered_ok"
  case expires, added
  /// All parts; formats other than JSON show only their names.
  case parts
  /// The path of the video file.
  case path
  /// The size of the video in bytes, if known.
  case size
  /// The number of bytes received of the video.
  case held
  /// Whether `vmx fetch` would fetch it now.
  case due

  /// The fields of a whole record, in its order; the others are made on request.
  static let recorded: [EpisodeField] = allCases.filter {
    ![.id, .path, .size, .held, .due].contains($0)
  }

  /// The fields that describe the content, in the order of `vmx show`.
  static let described: [EpisodeField] = [.season, .number, .date, .duration, .language, .summary]

  package static let usual: [EpisodeField] = [.id, .state, .size, .added, .title]

  package var column: Column {
    switch self {
    case .id: Column("ID")
    case .title: Column("TITLE", isFlexible: true)
    case .summary: Column("SUMMARY", isFlexible: true)
    case .path: Column("PATH", isFlexible: true)
    case .rev, .season, .number, .duration, .priority, .place, .size, .held: Column(heading, .right)
    default: Column(heading)
    }
  }

  /// The field of the record that it shows as it is; nil for one that is derived.
  var recordField: Episode.Field? {
    switch self {
    case .parts: nil
    default: Episode.Field(rawValue: rawValue)
    }
  }

  private var heading: String {
    rawValue.uppercased().split(separator: "_").joined(separator: " ")
  }
}
