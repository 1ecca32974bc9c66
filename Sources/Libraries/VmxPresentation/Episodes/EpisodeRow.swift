package import VmxModel

/// An episode as a row of a listing. A class, because the cells that are made on request refer to
/// it.
package final class EpisodeRow: ListingRow, Sendable {
  private let episode: Episode
  private let facts: EpisodeFacts

  /// Creates the row of an episode.
  package init(_ episode: Episode, _ facts: EpisodeFacts) {
    self.episode = facts.shown(episode)
    self.facts = facts
  }

  package var id: String { episode.id.description }

  /// The size of the video in bytes; nil if unknown.
  package var bytes: Int64? { episode.video?.size?.bytes }

  private var stateText: Cell { StateText.summary(of: episode, facts) }

  package func value(_ field: EpisodeField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .rev: .number(episode.rev)
    case .title: .text(episode.title)
    case .show: .text(episode.id.show)
    case .showTitle: .text(episode.showTitle)
    case .season: .number(episode.season)
    case .number: .number(episode.number)
    case .date: .text(episode.date?.description)
    case .duration: .duration(episode.duration)
    case .language: .text(episode.language)
    case .summary: .text(episode.summary)
    case .rating: .decimal(episode.rating)
    case .ageRating: .text(episode.ageRating?.text)
    case .showAgeRating: .text(nonEmpty: facts.showAgeRating)
    case .chapters: chapters
    case .chaptersURL: .text(episode.chaptersURL)
    case .pageURL: .text(episode.pageURL)
    case .tvmaze: .number(episode.tvmaze)
    case .feed: .text(episode.feed)
    case .folder: .text(episode.folder)
    case .want: .word(episode.want.rawValue)
    case .state: .word(episode.state.rawValue).shown(self.stateText)
    case .code: .word(episode.decisivePart?.code?.rawValue)
    case .reason: .word(episode.decisivePart?.reason?.rawValue ?? removalReason)
    case .until: .time(episode.decisivePart?.until, relativeTo: facts.now)
    case .lacks: .list(episode.missingParts)
    case .priority: .number(episode.priority)
    case .place:
      .object(episode.place.map { .integer($0) }, text: String(self.episode.resolvedPlace))
    case .after: .list(nonEmpty: episode.after.map(\.description))
    case .keep: mark(.flag(episode.isKept), episode.isKept)
    case .watched: mark(.flag(episode.isWatched), episode.isWatched)
    case .meteredOK: mark(.flag(omittingFalse: episode.isMeteredOK), episode.isMeteredOK)
    case .expires: .time(episode.expires, relativeTo: facts.now)
    case .added: .time(episode.added, relativeTo: facts.now).styled(.dim)
    case .removal:
      .object(episode.removal?.json, text: self.episode.removal?.phrase() ?? "")
        .shown(Cell(self.episode.removal?.phrase(in: SystemZone()) ?? ""))
    case .work:
      .object(
        (facts.work?.record).map { .object($0) },
        text: self.facts.work?.phrase(now: self.facts.now) ?? ""
      ).shown(Cell(self.facts.work?.phrase(now: self.facts.now, in: SystemZone()) ?? ""))
    case .parts:
      .object(
        .array(episode.parts.map { .object(PartJSON.record(of: $0, facts)) }),
        text: self.episode.parts.map(\.name).joined(separator: ","))
    case .path: .text(nonEmpty: episode.video.flatMap { facts.file(of: $0) })
    case .imageFile: .text(nonEmpty: facts.imageFile)
    case .size: .bytes(episode.video?.size)
    case .completedBytes: .bytes(episode.video.map { facts.completedBytes(of: $0) })
    case .due: mark(.flag(facts.due.isDue(episode)), facts.due.isDue(episode))
    case .rank: .number(facts.rank)
    case .position: .duration(facts.position?.milliseconds)
    }
  }

  private var removalReason: String? {
    episode.state == .removed ? episode.removal?.reason.rawValue : nil
  }

  private var chapters: RowValue {
    .object(
      episode.chapters.isEmpty ? nil : episode.chapters.json,
      text: self.episode.chapters.map(\.text).joined(separator: ", "))
  }

  private func mark(_ value: RowValue, _ isSet: Bool) -> RowValue {
    value.shown(Cell(isSet ? "yes" : ""))
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
  /// The id in the catalogue, by the name that the rows of the catalogue use.
  case tvmaze
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

  /// The fields that are computed only on request.
  static let requested: [EpisodeField] = [
    .path, .imageFile, .size, .completedBytes, .due, .position, .rank,
  ]

  package static let recorded = allCases.filter { $0 != .id && !requested.contains($0) } + [.rank]

  /// The fields that describe the content, in the order of `vmx show`.
  static let described: [EpisodeField] = [
    .season, .number, .date, .duration, .language, .rating, .ageRating, .showAgeRating,
    .chapters, .chaptersURL, .pageURL, .tvmaze, .feed, .folder, .imageFile,
    .summary,
  ]

  package static let defaultFields: [EpisodeField] = [.id, .state, .size, .added, .title]

  /// The default fields of a table in a narrow terminal.
  package static let narrowFields: [EpisodeField] = [.title, .state, .size, .id]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode", fitting: .whole, importance: 3)
    case .rev: FieldKey(.number, "The revision of the record, which plans compare")
    case .title: FieldKey(.text, "The title", fitting: .end, importance: 4)
    case .show: FieldKey(.text, "The show, as the first half of the id")
    case .showTitle: FieldKey(.text, "The title of the show")
    case .season: FieldKey(.number, "The season; 0 for specials")
    case .number: FieldKey(.number, "The number within the season")
    case .date: FieldKey(.day, "The date of first showing")
    case .duration: FieldKey(.milliseconds, "The published duration")
    case .language: FieldKey(.text, "The main language, as a BCP 47 tag")
    case .summary: FieldKey(.text, "The summary", fitting: .end)
    case .rating: FieldKey(.decimal, "The average rating of viewers, from 0 to 10")
    case .ageRating: FieldKey(.text, "The published or given age rating: FSK 12, TV-MA, 16")
    case .showAgeRating: FieldKey(.text, "The age rating that its show was given")
    case .chapters: FieldKey(.list, "The published chapters", fitting: .end, keys: Self.chapterKeys)
    case .chaptersURL: FieldKey(.text, "The URL of a document with the chapters")
    case .pageURL:
      FieldKey(.text, "The URL of the page on which another program found its sources")
    case .tvmaze: FieldKey(.number, "The id at TVMaze")
    case .feed: FieldKey(.text, "The id of its feed")
    case .folder:
      FieldKey(.text, "The folder for its new files, relative to the root, set by its feed")
    case .want: FieldKey(.word, "The want: fetch, hold, none or gone")
    case .state: FieldKey(.word, "The state, as in vmx-states(7)", importance: 5)
    case .code: FieldKey(.word, "The error code, as in vmx-errors(7)")
    case .reason:
      FieldKey(.word, "The reason for a wait, removal or unchanged result: vmx-states(7)")
    case .until: FieldKey(.time, "The time when it resumes automatically")
    case .lacks: FieldKey(.list, "The names of the optional parts that are not ready")
    case .priority: FieldKey(.number, "The priority; higher is sooner, 0 by default")
    case .place: FieldKey(.number, "The place within the same priority")
    case .after: FieldKey(.list, "The ids of the episodes that must be ready first")
    case .keep: FieldKey(.boolean, "Whether it is protected from cleaning rules")
    case .watched: FieldKey(.boolean, "Whether it is marked as watched")
    case .meteredOK: FieldKey(.boolean, "Whether a metered network is allowed for it")
    case .expires: FieldKey(.time, "The time when it expires")
    case .added: FieldKey(.time, "The time when it was added", importance: 1)
    case .removal:
      FieldKey(
        .object, "The last removal, unless it was requested again since", fitting: .end,
        keys: Self.removalKeys)
    case .work:
      FieldKey(
        .object, "The running transfer, as its worker last reported it", fitting: .end,
        keys: Self.workKeys)
    case .parts: FieldKey(.list, "The files of the episode", keys: PartJSON.keys)
    case .path: FieldKey(.text, "The path of the video; only with --fields", fitting: .end)
    case .imageFile:
      FieldKey(.text, "The path of its image; in details, or with --fields", fitting: .end)
    case .size: FieldKey(.bytes, "The size of the video; only with --fields", importance: 2)
    case .completedBytes: FieldKey(.bytes, "The received size of the video; only with --fields")
    case .due: FieldKey(.boolean, "Whether a fetch would start it; only with --fields")
    case .rank: FieldKey(.number, "The position among due episodes; list --due, queue, --fields")
    case .position:
      FieldKey(
        .milliseconds, "The position where playback resumes; in details, or with --fields")
    }
  }

  private static let chapterKeys = [
    JSONKey("chapters[].start_ms", .milliseconds, meaning: "The start of the chapter"),
    JSONKey("chapters[].title", .text, meaning: "The title of the chapter"),
  ]

  private static let removalKeys = [
    JSONKey("removal.at", .time, meaning: "The time of the removal"),
    JSONKey("removal.by", .text, meaning: "The tool that removed it"),
    JSONKey(
      "removal.reason", .word,
      meaning: "The reason: by-hand, watched, expired, space, rule, backend"),
  ]

  private static let workKeys = [
    JSONKey("work.part", .text, meaning: "The name of the part"),
    JSONKey("work.bytes", .bytes, meaning: "The received size"),
    JSONKey("work.total", .bytes, meaning: "The total size"),
    JSONKey("work.rate", .rate, meaning: "The present rate"),
    JSONKey("work.eta_ms", .milliseconds, meaning: "The estimated remaining time"),
    JSONKey("work.attempt", .number, meaning: "The attempt, counted from 1"),
    JSONKey("work.host", .text, meaning: "The host name of the worker"),
    JSONKey("work.pid", .number, meaning: "The process id of the worker"),
    JSONKey("work.since", .time, meaning: "The start time of that process"),
    JSONKey("work.at", .time, meaning: "The time of this report"),
    JSONKey(
      "work.phase", .word, meaning: "connecting, receiving, stalling, verifying or publishing"),
  ]
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
