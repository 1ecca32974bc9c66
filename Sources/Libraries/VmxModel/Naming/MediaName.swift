/// Builds file names that Kodi, Jellyfin and Plex all recognise: `Show Name/Season 01/Show Name -
/// S01E02 - Title.mp4`, with `….en.srt` and `…-thumb.jpg` beside it.
///
/// All files of one episode share a stem. The stem leaves room for the longest ending, so that
/// every component has at most 255 bytes.
package enum MediaName {
  /// The number of bytes reserved in a component for endings such as `.zh-Hans-CN.forced.sdh.srt`.
  private static let room = 64
  /// The maximum length of the show's title in bytes, in its folder and in the stem.
  private static let longestShow = 100

  /// Returns the path of a part relative to its root, including folders.
  ///
  /// - Parameters:
  ///   - fileExtension: without its dot; replaced unless it is one to eight ASCII letters and
  ///     digits.
  ///   - copy: from 2 on the stem ends with ` (2)`, for names that are already taken.
  package static func path(
    for episode: Episode, part: Part, fileExtension: String, copy: Int = 1
  ) -> String {
    let folder = ([showFolder(of: episode)] + [seasonFolder(of: episode)].compactMap { $0 })
      .joined(separator: "/")
    return "\(folder)/\(stem(of: episode, copy: copy))"
      + ending(of: part, fileExtension: fileExtension)
  }

  /// Returns the path of another part beside an existing video. It uses the video's stem, by which
  /// players find subtitles and images.
  package static func path(
    beside video: String, part: Part, fileExtension: String
  ) -> String {
    let bytes = video.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
    let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")) ?? start
    let stem = dot == start ? video : String(video[..<dot])
    return stem + ending(of: part, fileExtension: fileExtension)
  }

  /// The part of the name after the stem: `.mp4`, `.en.forced.srt`, `-thumb.jpg`, `.nfo`.
  package static func ending(of part: Part, fileExtension: String) -> String {
    let language = part.language.flatMap { LanguageTag.normalised($0) }.map { ".\($0)" } ?? ""
    let flags = (part.isForced ? ".forced" : "") + (part.isSDH ? ".sdh" : "")
    let plain = isExtension(fileExtension) ? fileExtension.lowercased() : nil
    let dotted = ".\(plain ?? usualExtension(of: part.role))"
    return switch part.role {
    case .subtitle: language + flags + dotted
    case .image: "-thumb" + language + dotted
    case .video, .metadata, .key: language + dotted
    }
  }

  private static func stem(of episode: Episode, copy: Int) -> String {
    let ownPlace = place(season: episode.season, number: episode.number, date: episode.date)
    let place = ownPlace.map { " - \($0)" } ?? ""
    let number = copy > 1 ? " (\(copy))" : ""
    let front = showFolder(of: episode) + place
    let limit = SafeName.longest - room - front.utf8.count - number.utf8.count - 3
    // An episode whose title is not known may have its place for a title.
    let title = episode.title == ownPlace ? "" : SafeName.component(episode.title, limit: limit)
    return front + (title.isEmpty ? "" : " - \(title)") + number
  }

  private static func showFolder(of episode: Episode) -> String {
    showFolder(of: episode.id, title: episode.showTitle)
  }

  /// Returns the name of the folder of a show.
  ///
  /// - Parameters:
  ///   - id: that of an episode.
  ///   - title: that of the show.
  package static func showFolder(of id: EpisodeID, title: String) -> String {
    let name = SafeName.component(title, limit: longestShow)
    return name.isEmpty ? id.show : name
  }

  /// Returns `S01E02`, or the day of a daily show; nil for neither. A number without a season counts as season 1.
  package static func place(season: Int64?, number: Int64?, date: CalendarDay?) -> String? {
    if let number { return "S\(Slug.padded(season ?? 1))E\(Slug.padded(number))" }
    return date?.description
  }

  /// `Season 01`, `Specials` or the year of a daily show; nil for none.
  private static func seasonFolder(of episode: Episode) -> String? {
    if episode.number != nil || episode.season != nil {
      let season = episode.season ?? 1
      return season == 0 ? "Specials" : "Season \(Slug.padded(season))"
    }
    return episode.date.map { "Season \($0.description.prefix(4))" }
  }

  /// Whether a text can be a file extension: one to eight ASCII letters and digits.
  static func isExtension(_ text: String) -> Bool {
    (1...8).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isASCIIAlphanumeric }
  }

  private static func usualExtension(of role: PartRole) -> String {
    switch role {
    case .video: "mp4"
    case .subtitle: "srt"
    case .image: "jpg"
    case .metadata: "nfo"
    case .key: "key"
    }
  }
}
