import SystemPackage
import VmxMarkup
import VmxModel

/// A feed of AntennaPod, without its user name and password.
struct AntennaPodFeed {
  static let columns = ["id", "title", "custom_title", "download_url"]

  let title: String
  let url: String

  init(_ row: [String: PropertyList]) {
    let own = row["custom_title"]?.string ?? ""
    title = own.isEmpty ? row["title"]?.string ?? "" : own
    url = row["download_url"]?.string ?? ""
  }
}

/// The medium of an item of AntennaPod; times are in milliseconds.
struct AntennaPodMedia {
  static let columns = [
    "feeditem", "duration", "download_url", "position", "mime_type", "playback_completion_date",
    "last_played_time",
  ]

  let url: String
  let duration: Int64?
  let played: ExternalPlayback
  private let type: String

  init(_ row: [String: PropertyList]) {
    func positive(_ name: String) -> Int64? { row[name]?.integer.flatMap { $0 > 0 ? $0 : nil } }
    url = row["download_url"]?.string ?? ""
    type = row["mime_type"]?.string?.lowercased() ?? ""
    let duration = positive("duration").flatMap { $0 < 1_000_000_000_000 ? $0 : nil }
    self.duration = duration
    let last = ["last_played_time", "playback_completion_date"].compactMap(positive).max()
    // At the end there is nothing left to resume.
    played = ExternalPlayback(
      lastPlayed: last.map { Timestamp(milliseconds: $0) },
      position: positive("position").flatMap { $0 < duration ?? .max ? $0 : nil })
  }

  /// Whether it is audio, according to its media type, or else the extension of its URL.
  func isAudio(_ url: WebURL?) -> Bool {
    if type.hasPrefix("audio/") { return true }
    return !type.hasPrefix("video/") && CompanionFileName.isAudio(url?.fileExtension ?? "")
  }
}

/// The lists of AntennaPod, as ids of items.
struct AntennaPodMarks {
  let queue: Set<Int64>
  let favourites: Set<Int64>
}

/// An item of a feed of AntennaPod.
struct AntennaPodItem {
  static let columns = [
    "id", "title", "pubDate", "read", "link", "description", "feed", "item_identifier",
  ]
  /// The value of `read` for an item that was played to its end.
  private static let played: Int64 = 1

  let id: Int64
  let feed: Int64
  private let title: String
  private let guid: String
  private let summary: String
  private let date: CalendarDay?
  private let isPlayed: Bool

  init(_ row: [String: PropertyList]) {
    func text(_ name: String) -> String { row[name]?.string ?? "" }
    id = row["id"]?.integer ?? 0
    feed = row["feed"]?.integer ?? 0
    title = text("title")
    guid = text("item_identifier")
    summary = text("description")
    date = row["pubDate"]?.integer.flatMap { $0 > 0 ? $0 : nil }
      .flatMap { CalendarDay(String(Timestamp(milliseconds: $0).text.prefix(10))) }
    isPlayed = row["read"]?.integer == Self.played
  }

  /// Returns the episode; audio and items without a valid URL are findings of their own.
  ///
  /// - Throws: `bad-line`.
  func finding(
    of feed: AntennaPodFeed, _ media: AntennaPodMedia, _ marks: AntennaPodMarks,
    in database: LegacyFolder.File, _ kind: LegacyKind
  ) throws -> LegacyFinding {
    let place = "\(database.path): item \(id)"
    let url: WebURL
    do throws(Failure) {
      url = try WebURL(media.url)
    } catch {
      return .refused(place, error)
    }
    guard !media.isAudio(url) else { return .skipped(FilePath(place), nil, .noPart) }
    var episode = LegacyEpisode(kind, record: place)
    episode.evidence = ["\(LegacyName(database.name).last): item \(id) of AntennaPod"]
    if !guid.isEmpty { episode.identity = [.feedItem(feed: feed.address, guid: guid)] }
    episode.description.title = title.isEmpty ? nil : title
    episode.description.showTitle = feed.title.isEmpty ? nil : feed.title
    episode.description.date = date
    episode.description.duration = media.duration
    episode.description.summary = summary.isEmpty ? nil : summary
    episode.description.isKept = marks.favourites.contains(id) ? true : nil
    episode.description.isWatched = isPlayed ? true : nil
    episode.played = media.played
    episode.status = marks.queue.contains(id) ? .requested : .known
    try episode.description.add(
      PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
    return .episode(episode)
  }
}

extension AntennaPodFeed {
  /// The URL in the form in which a subscription records it; as written if it is not valid.
  fileprivate var address: String {
    do throws(Failure) {
      return try WebURL(url).text
    } catch {
      return url
    }
  }
}
