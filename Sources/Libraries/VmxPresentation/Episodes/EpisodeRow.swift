package import VmxModel

/// An episode as a row of a listing.
package struct EpisodeRow: ListingRow {
  private let episode: Episode
  private let facts: EpisodeFacts

  /// Creates the row of an episode.
  package init(_ episode: Episode, _ facts: EpisodeFacts) {
    self.episode = facts.shown(episode)
    self.facts = facts
  }

  package var id: String { episode.id.description }

  /// The size of the video in bytes; nil if unknown.
  package var bytes: Int64? { video?.size?.bytes }

  package func cell(_ field: EpisodeField) -> Cell {
    switch field {
    case .state: StateText.state(of: episode, facts)
    case .id: Cell(episode.id.description, .strong)
    case .size: Cell(video?.size?.forPeople ?? "")
    case .completedBytes: Cell(video.map { facts.completedBytes(of: $0).forPeople } ?? "")
    case .added: Cell(TimeText.relative(episode.added, to: facts.now), .dim)
    case .until: relativeTime(episode.decisivePart?.until)
    case .expires: relativeTime(episode.expires)
    case .removal: Cell(episode.removal?.phrase(in: SystemZone()) ?? "")
    case .work: Cell(facts.work?.phrase(now: facts.now, in: SystemZone()) ?? "")
    case .duration: Cell(episode.duration.map { PlayingTime.text(of: $0) } ?? "")
    case .position: Cell(facts.position.map { PlayingTime.text(of: $0.milliseconds) } ?? "")
    case .keep, .watched, .meteredOK, .due: Cell(exact(field) == "true" ? "yes" : "")
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: EpisodeField) -> String {
    switch field {
    case .id: episode.id.description
    case .rev: String(episode.rev)
    case .title: episode.title
    case .show: episode.id.show
    case .state: episode.state.rawValue
    case .code: episode.decisivePart?.code?.rawValue ?? ""
    case .reason:
      episode.decisivePart?.reason?.rawValue ?? (isRemoved ? episode.removal?.reason.rawValue : nil)
        ?? ""
    case .removal: episode.removal?.phrase() ?? ""
    case .until: episode.decisivePart?.until?.text ?? ""
    case .lacks: episode.missingParts.joined(separator: ",")
    case .chapters: episode.chapters.map(\.text).joined(separator: ", ")
    case .priority: String(episode.priority)
    case .place: String(episode.resolvedPlace)
    case .keep: String(episode.isKept)
    case .watched: String(episode.isWatched)
    case .meteredOK: String(episode.isMeteredOK)
    case .parts: episode.parts.map(\.name).joined(separator: ",")
    case .path: video.flatMap { facts.file(of: $0) } ?? ""
    case .imageFile: facts.imageFile ?? ""
    case .size: video?.size.map { String($0.bytes) } ?? ""
    case .completedBytes: video.map { String(facts.completedBytes(of: $0).bytes) } ?? ""
    case .due: String(facts.due.isDue(episode))
    case .rank: facts.rank.map { String($0) } ?? ""
    case .position: facts.position.map { String($0.milliseconds) } ?? ""
    case .work: facts.work?.phrase(now: facts.now) ?? ""
    case .showAgeRating: facts.showAgeRating ?? ""
    default: field.recordField.flatMap { episode.json(of: [$0])[0] }?.plainText ?? ""
    }
  }

  package func record(_ fields: [EpisodeField]?) -> JSONObject {
    EpisodeJSON.record(of: episode, facts, fields)
  }

  private var isRemoved: Bool { episode.state == .removed }

  private var video: Part? { episode.video }

  private func relativeTime(_ moment: Timestamp?) -> Cell {
    Cell(moment.map { TimeText.relative($0, to: facts.now) } ?? "")
  }
}

extension JSONValue {
  /// The value as a cell: text without quotes, the elements of an array joined by commas.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .array(let elements): elements.map(\.plainText).joined(separator: ",")
    default: text
    }
  }
}

/// The fields of an episode in listings. Fields that the JSON record has too use the same names.
package enum EpisodeField: String, ListingField {
  case id, rev, title, show
  case showTitle = "show_title"
  case season, number, date
  case duration = "duration_ms"
  case language, summary, rating
  case ageRating = "age_rating"
  /// The age rating that the user has given to the show.
  case showAgeRating = "show_age_rating"
  case chapters
  case chaptersURL = "chapters_url"
  case pageURL = "page_url"
  case feed, folder, want, state, code, reason, until, lacks, priority, place, after,
    keep
  case watched
  case meteredOK = "metered_ok"
  case expires, added
  /// The last removal, unless the episode has been requested again since.
  case removal
  /// The process that works on it at this moment, with its start time and progress.
  case work
  /// All parts; formats other than JSON show only their names.
  case parts
  /// The path of the video file.
  case path
  /// The path of the picture in the library, otherwise in the cache of the catalogue.
  case imageFile = "image_file"
  /// The size of the video in bytes, if known.
  case size
  /// The number of bytes received of the video.
  case completedBytes = "held"
  /// Whether `vmx fetch` would fetch it now.
  case due
  /// The position among the due episodes in the order in which `vmx fetch` begins them.
  case rank
  /// The position at which playback resumes.
  case position = "position_ms"

  /// The fields of a complete record, in their order; the others are computed on request.
  static let recorded: [EpisodeField] = allCases.filter {
    ![.id, .path, .imageFile, .size, .completedBytes, .due, .rank, .position].contains($0)
  }

  /// The fields that describe the content, in the order of `vmx show`.
  static let described: [EpisodeField] = [
    .season, .number, .date, .duration, .language, .rating, .ageRating, .showAgeRating,
    .chapters, .chaptersURL, .pageURL, .feed, .folder, .imageFile, .summary,
  ]

  package static let defaultFields: [EpisodeField] = [.id, .state, .size, .added, .title]

  package var column: Column {
    switch self {
    case .state: Column("STATE", importance: 5)
    case .title: Column("TITLE", .left, .end, importance: 4)
    case .id: Column("ID", .left, .middle, importance: 3)
    case .size: Column("SIZE", .right, importance: 2)
    case .added: Column("ADDED", importance: 1)
    case .summary: Column("SUMMARY", .left, .end)
    case .chapters: Column("CHAPTERS", .left, .end)
    case .path, .imageFile: Column(heading, .left, .end)
    case .removal: Column("REMOVAL", .left, .end)
    case .work: Column("WORK", .left, .end)
    case .rev, .season, .number, .duration, .rating, .priority, .place, .completedBytes, .rank,
      .position:
      Column(heading, .right)
    default: Column(heading)
    }
  }

  /// The field of the stored record that is shown unchanged; nil for a derived field.
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

/// Facts about an episode from outside its own record.
package struct EpisodeFacts: Sendable, Equatable {
  /// The rule that decides whether the episode is due at the time shown.
  package var due: DueRule
  /// The bytes received of unfinished parts, by the name of the part.
  package var completedBytes: [String: Int64] = [:]
  /// The absolute paths of the roots, by their UUID.
  package var folders: [String: String] = [:]
  /// The first preceding episode that is neither ready nor given up; nil if there is none.
  package var predecessor: EpisodeID?
  /// The other episodes that the record names and that must not be shown.
  package var hidden: Set<EpisodeID> = []
  /// The work on the episode at this moment; nil if no process works on it.
  package var work: StatusItem?

  /// The age rating of its show; nil if it has none.
  package var showAgeRating: String?

  /// The position at which playback resumes; nil for the start, or if it was not requested.
  package var position: PlaybackPosition?

  /// The path of the picture; nil if there is none or it was not requested.
  package var imageFile: String?

  /// The position among the due episodes; nil if the episode is not due or the position was not
  /// requested.
  package var rank: Int?

  /// The time to which the shown facts refer.
  package var now: Timestamp { due.now }

  /// Creates facts for the time of a due rule.
  package init(_ due: DueRule) {
    self.due = due
  }

  /// Returns the episode as it may be shown: without the ids of hidden episodes.
  func shown(_ episode: Episode) -> Episode {
    guard !hidden.isEmpty else { return episode }
    var episode = episode
    episode.after.removeAll { hidden.contains($0) }
    for index in episode.parts.indices {
      guard let message = episode.parts[index].message,
        EpisodeID.named(in: message).contains(where: hidden.contains)
      else { continue }
      episode.parts[index].message = episode.parts[index].code?.entry.sentence
    }
    return episode
  }

  /// Returns the number of bytes received of a part.
  package func completedBytes(of part: Part) -> ByteCount {
    if let bytes = completedBytes[part.name] { return ByteCount(clamping: bytes) }
    switch part.resumeState ?? part.state {
    case .complete, .checked, .ready, .damaged: return part.size ?? ByteCount(clamping: 0)
    default: return ByteCount(clamping: 0)
    }
  }

  /// Returns the path of a part's file: absolute if its root is known, else relative to the root.
  package func file(of part: Part) -> String? {
    guard let path = part.path else { return nil }
    guard let root = part.root, let folder = folders[root] else { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
