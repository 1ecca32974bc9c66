package import VmxModel
import VmxNaming

/// A video as yt-dlp or youtube-dl describes it, in a file `.info.json` or by `yt-dlp -J`.
///
/// Fields of another type than expected count as missing, since extractors differ.
///
///     let info = YtDlpInfo(object)
///     let description = info.description
package struct YtDlpInfo: Sendable {
  /// The fields that are decoded. Other fields contain headers, cookies and lists of signed URLs.
  package static let fields: Set<String> = [
    "_type", "id", "extractor_key", "extractor", "_old_archive_ids", "title", "fulltitle",
    "episode", "alt_title", "series", "playlist_title", "channel", "uploader", "season_number",
    "episode_number", "season", "upload_date", "release_date", "timestamp", "release_timestamp",
    "duration", "description", "webpage_url", "url", "protocol", "requested_formats", "fragments",
    "age_limit", "ext", "height", "tbr", "filesize", "subtitles", "requested_subtitles",
    "thumbnail", "entries",
    // Of podcast-archiver.
    "guid", "enclosure", "links", "original_title", "published_time", "summary",
  ]

  /// Extractors whose ids are words of the page's URL, and therefore not unique.
  private static let pageExtractors: Set<String> = ["generic", "html5mediaembed"]

  let object: JSONObject
  /// The title of the playlist that contains the video; nil for none.
  let playlist: String?

  /// Creates a description from an object.
  package init(_ object: JSONObject) {
    self.init(object, in: nil)
  }

  init(_ object: JSONObject, in playlist: String?) {
    self.object = object
    self.playlist = playlist
  }

  /// Whether the object describes a playlist or channel instead of a video.
  package var isPlaylist: Bool {
    ["playlist", "multi_video"].contains(object["_type"]?.string ?? "")
  }

  /// The title of the episode, else of the video.
  package var title: String? {
    let numbered = natural("episode_number").map { "Episode \($0)" }
    let episode = text("episode")
    // yt-dlp makes up this title if the site has none.
    let isMadeUp = episode != nil && episode == numbered
    let titles = [isMadeUp ? nil : episode, text("title"), text("fulltitle"), text("alt_title")]
    return titles.lazy.compactMap { $0 }.first ?? episode
  }

  /// The id at the site.
  package var id: String? { text("id") ?? object["id"]?.integer.map { String($0) } }

  /// The lines for the video in a download archive: the extractor in lower case, a space, the id.
  package var archiveLines: [String] {
    let key = (text("extractor_key") ?? text("extractor"))?.lowercased()
    let line = id.flatMap { id in key.map { "\($0) \(id)" } }
    let old = object["_old_archive_ids"]?.array?.compactMap(\.string) ?? []
    return [line].compactMap { $0 } + old
  }

  /// The extension of its file, without the dot.
  package var fileExtension: String? { text("ext")?.lowercased() }

  /// The exact size of its file.
  package var size: ByteCount? { object["filesize"]?.integer.flatMap { ByteCount($0) } }

  /// Whether video and audio are fetched separately and merged.
  package var isMerged: Bool { (object["requested_formats"]?.array?.count ?? 0) > 1 }

  /// The titles, numbers and day, with the keys of its ids. It has no parts.
  ///
  /// The day is that of the upload, in UTC; it identifies nothing. The position in a playlist is
  /// not an episode number. Neither is a number in the title, since a channel may have several
  /// shows.
  package var description: EpisodeDescription {
    var description = EpisodeDescription()
    description.identity = archiveLines.compactMap { Self.key(archiveLine: $0, page: page) }
    // The guid of a feed's item, if yt-dlp has read the feed; and the URL of a direct link.
    if text("playlist_title") != nil {
      description.identity += archiveLines.compactMap(Self.itemKey(archiveLine:))
    }
    if let source = sourceURL { description.identity.append(.source(source)) }
    description.title = title
    description.origin = .program
    let titles = ["series", "playlist_title"].lazy.compactMap { text($0) }.first ?? playlist
    description.show = titles ?? text("channel") ?? text("uploader")
    description.season =
      natural("season_number") ?? text("season").flatMap { SeasonFolder($0)?.season }
    description.number = natural("episode_number")
    description.date = day
    description.isDaily = false
    description.duration = duration
    description.summary = text("description")
    // A direct link is its own page, which does not lead to another source.
    if text("webpage_url") != text("url") { description.pageURL = pageURL?.withoutTracking }
    // yt-dlp reports 0 for a page without an age limit.
    description.ageRating = natural("age_limit").flatMap { $0 > 0 ? AgeRating("\($0)") : nil }
    PodcastArchiverItem(object)?.describe(&description)
    return description
  }

  /// Returns the identity key of a line of a download archive; nil for a line without an extractor
  /// and an id.
  ///
  /// - Parameter page: the URL of the page without tracking parameters. It is part of the key if
  ///   the id is only a word of a URL.
  package static func key(archiveLine line: String, page: String? = nil) -> IdentityKey? {
    guard let space = line.firstIndex(of: " ") else { return nil }
    let extractor = line[..<space].lowercased()
    let id = String(line[line.index(after: space)...])
    guard !extractor.isEmpty, !id.isEmpty else { return nil }
    guard let page, pageExtractors.contains(extractor) else {
      return .outside(catalogue: extractor, id: id)
    }
    return .outside(catalogue: extractor, id: "\(id) \(page)")
  }

  /// Returns the key of the item of a feed, whose guid yt-dlp uses as the id; nil for a line of
  /// another site, and for an id that many feeds may have.
  package static func itemKey(archiveLine line: String) -> IdentityKey? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[0].lowercased() == "generic" else { return nil }
    return .item(ofAnyFeed: words[1])
  }

  /// The URL of its page without tracking parameters, for identification.
  private var page: String? { pageURL?.withoutTracking ?? text("webpage_url") }

  private var pageURL: WebURL? {
    guard let address = text("webpage_url") else { return nil }
    do throws(Failure) {
      return try WebURL(address)
    } catch {
      // For a stream, the page is the URL of the stream, which `WebURL` rejects.
      return nil
    }
  }

  /// The URL of the file if the page is the file, without tracking parameters.
  private var sourceURL: String? {
    guard let address = text("url"), address == text("webpage_url") else { return nil }
    do throws(Failure) {
      return try WebURL(address).withoutTracking
    } catch {
      // A stream has no file that a feed could name.
      return nil
    }
  }

  private var day: CalendarDay? {
    for field in ["upload_date", "release_date"] {
      guard let text = text(field), text.utf8.count == 8 else { continue }
      let digits = Array(text.utf8)
      let pieces = [digits[0..<4], digits[4..<6], digits[6..<8]]
      let day = pieces.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
      if let day = CalendarDay(day) { return day }
    }
    for field in ["timestamp", "release_timestamp"] {
      guard let seconds = decimal(field).flatMap({ Int64(exactly: $0.rounded(.down)) }) else {
        continue
      }
      let text = Timestamp(seconds: seconds).text
      if let end = text.firstIndex(of: "T"), let day = CalendarDay(String(text[..<end])) {
        return day
      }
    }
    return nil
  }

  private var duration: Int64? {
    guard let seconds = decimal("duration"), seconds > 0, seconds < 1e9 else { return nil }
    return max(1, Int64((seconds * 1000).rounded()))
  }

  func text(_ field: String) -> String? {
    // The store keeps no NULs.
    let text = object[field]?.string?.replacing("\0", with: "")
    return text?.allSatisfy(\.isWhitespace) == true ? nil : text
  }

  func natural(_ field: String) -> Int64? {
    object[field]?.integer.flatMap { $0 >= 0 ? $0 : nil }
  }

  func decimal(_ field: String) -> Double? {
    switch object[field] {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
}
