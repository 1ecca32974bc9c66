import VmxMarkup
import VmxModel
import VmxNaming

/// A podcast record of gPodder, without the user name and password of its feed.
struct GPodderPodcast {
  let title: String
  /// The URL of the feed.
  let feed: String
  /// The name of its folder below the downloads folder.
  let folder: String
  /// Whether gPodder classifies it as audio.
  let isAudio: Bool

  static let columns = ["id", "title", "url", "download_folder", "section"]

  init(_ row: [String: PropertyList]) {
    title = row["title"]?.string ?? ""
    feed = row["url"]?.string ?? ""
    folder = row["download_folder"]?.string ?? ""
    isAudio = row["section"]?.string?.lowercased() == "audio"
  }
}

/// An episode record of gPodder.
struct GPodderEpisode {
  /// The state, with the raw values of the database.
  enum State: Int64 {
    /// Known, and not downloaded.
    case normal
    case downloaded
    /// Removed by the user.
    case deleted
  }

  let id: Int64
  let podcast: Int64
  let title: String
  let url: String
  let guid: String
  let summary: String
  let state: State
  /// The day of publication (UTC).
  let date: CalendarDay?
  /// The size that gPodder has measured, or that the feed has announced.
  let size: ByteCount?
  /// The playing time in milliseconds.
  let duration: Int64?
  let fileName: String?
  let isWatched: Bool
  /// The time of the last playback, and the position in milliseconds that it reached.
  let played: ExternalPlayback
  let isKept: Bool
  private let type: String

  static let columns = [
    "id", "podcast_id", "title", "description", "url", "published", "guid", "file_size",
    "mime_type", "state", "is_new", "archive", "download_filename", "total_time",
    "current_position", "current_position_updated", "last_playback",
  ]

  init(_ row: [String: PropertyList]) {
    func text(_ name: String) -> String { row[name]?.string ?? "" }
    func positive(_ name: String) -> Int64? { row[name]?.integer.flatMap { $0 > 0 ? $0 : nil } }
    id = row["id"]?.integer ?? 0
    podcast = row["podcast_id"]?.integer ?? 0
    title = text("title")
    url = text("url")
    guid = text("guid")
    summary = text("description")
    state = row["state"]?.integer.flatMap(State.init) ?? .normal
    date = positive("published")
      .flatMap { CalendarDay(ofProgram: Timestamp(seconds: $0).text) }
    size = positive("file_size").flatMap { ByteCount(ofFile: $0) }
    func milliseconds(_ name: String) -> Int64? {
      positive(name).flatMap { $0 < 1_000_000_000 ? $0 * 1000 : nil }
    }
    let duration = milliseconds("total_time")
    self.duration = duration
    let times = ["current_position_updated", "last_playback"].compactMap(positive)
    // At the end there is nothing left to resume.
    played = ExternalPlayback(
      lastPlayed: times.max().map { Timestamp(seconds: $0) },
      position: milliseconds("current_position").flatMap { $0 < duration ?? .max ? $0 : nil })
    let name = LegacyName(text("download_filename")).last
    fileName = name.isEmpty ? nil : name
    isWatched = row["is_new"]?.integer == 0
    isKept = row["archive"].flatMap(\.integer).map { $0 != 0 } ?? false
    type = text("mime_type").lowercased()
  }

  /// Whether it is audio, according to its media type, or else the extension of its URL, or else
  /// its podcast.
  func isAudio(_ url: WebURL?, of podcast: GPodderPodcast) -> Bool {
    if type.hasPrefix("audio/") { return true }
    if type.hasPrefix("video/") { return false }
    let ending = url?.fileExtension ?? ""
    if CompanionFileName.isAudio(ending) { return true }
    return CompanionFileName.isVideo(ending) ? false : podcast.isAudio
  }
}
