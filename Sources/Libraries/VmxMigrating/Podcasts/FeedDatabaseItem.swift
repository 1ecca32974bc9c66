import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming

/// An item of a feed in the database of a podcast program.
struct FeedDatabaseItem {
  let id: Int64
  private let title: String
  private let guid: String
  private let summary: String
  /// The URL of its medium as written; empty for an item without one.
  let url: String
  private let type: String
  /// The day of publication (UTC).
  var date: CalendarDay?
  /// The playing time in milliseconds.
  var duration: Int64?
  var isKept = false
  var status = LegacyEpisode.Status.known
  private var isPlayed = false
  private var played = ExternalPlayback()
  private var download: PodboatQueue.Entry?

  /// The names of the columns with the texts of an item; nil for those that a table lacks.
  struct Columns {
    let title: String
    let guid: String?
    let text: String
    let url: String
    let type: String?
  }

  /// Creates an item from the texts of a row.
  init(_ row: [String: PropertyList], _ id: Int64, texts columns: Columns) {
    func value(_ name: String?) -> String { name.flatMap { row[$0]?.string } ?? "" }
    self.id = id
    self.title = value(columns.title)
    self.guid = value(columns.guid)
    summary = HTMLText.plainText(value(columns.text))
    self.url = value(columns.url)
    self.type = value(columns.type).lowercased()
  }

  mutating func publish(_ time: Timestamp?) {
    date = time.flatMap { CalendarDay(ofProgram: $0.text) }
  }

  /// Sets the marks of playback. At the end there is nothing left to resume.
  ///
  /// - Parameter position: in milliseconds.
  mutating func play(to position: Int64?, at time: Timestamp?, isPlayed: Bool) {
    self.isPlayed = isPlayed
    played = ExternalPlayback(
      lastPlayed: time, position: position.flatMap { $0 < duration ?? .max ? $0 : nil })
  }

  /// Sets the state in podboat's queue, unless the user has removed the item.
  mutating func apply(_ entry: PodboatQueue.Entry) {
    if status != .removed { status = entry.status }
    isPlayed = isPlayed || entry.isPlayed
    download = entry
  }

  /// Whether it is audio, according to its media type, or else the extension of its URL.
  private func isAudio(_ url: WebURL) -> Bool {
    if type.hasPrefix("audio/") { return true }
    return !type.hasPrefix("video/") && CompanionFileName.isAudio(url.fileExtension)
  }

  /// Returns the episode; audio that is not wanted and items without a valid URL are findings of
  /// their own.
  ///
  /// - Throws: `bad-line`.
  func finding(
    of feed: FeedDatabaseFeed, in database: LegacyFolder.File,
    _ program: ForeignDatabase.Program, _ kind: LegacyKind, takesAudio: Bool
  ) throws -> LegacyFinding {
    let source = "\(database.path): item \(id)"
    let url: WebURL
    do throws(Failure) {
      url = try WebURL(self.url)
    } catch {
      return .refused(source, error)
    }
    guard takesAudio || !isAudio(url) else { return .skipped(FilePath(source), nil, .noPart) }
    var episode = LegacyEpisode(kind, record: source)
    episode.evidence = [
      "\(LegacyName(database.name).last): item \(id) of \(program.rawValue)"
    ]
    if !guid.isEmpty { episode.identity = [.feedItem(feed: feed.address, guid: guid)] }
    episode.description.title = title.isEmpty ? nil : title
    episode.description.showTitle = feed.title.isEmpty ? nil : feed.title
    episode.description.date = date
    episode.description.duration = duration
    episode.description.summary = summary.isEmpty ? nil : summary
    episode.description.isKept = isKept ? true : nil
    episode.description.isWatched = isPlayed ? true : nil
    episode.played = played
    episode.status = status
    download?.describe(&episode.description)
    try episode.description.add(
      PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
    return .episode(episode)
  }
}
