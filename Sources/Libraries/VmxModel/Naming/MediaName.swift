/// Names files as Kodi, Jellyfin and Plex all read them:
/// `Show Name/Season 01/Show Name - S01E02 - Title.mp4`, and beside it `….en.srt`, `…-thumb.jpg`.
///
/// All files of one episode share a stem, and the stem leaves room for the longest ending, so that
/// no component has more than 255 bytes whatever stands beside the video.
package enum MediaName {
  /// Bytes left free in a component for endings such as `.zh-Hans-CN.forced.sdh.srt`.
  private static let room = 64
  /// Bytes of the show's title, in its folder and in the stem.
  private static let longestShow = 100

  /// The path of a part below its root, folders included.
  ///
  /// - Parameters:
  ///   - fileExtension: without its dot; another one takes its place where it is not one to eight
  ///     ASCII letters and digits.
  ///   - copy: from 2 on the stem ends with ` (2)`, for names that somebody else took.
  package static func path(
    for episode: Episode, part: Part, fileExtension: String, copy: Int = 1
  ) -> String {
    let folder = ([showName(of: episode)] + [seasonFolder(of: episode)].compactMap { $0 })
      .joined(separator: "/")
    return "\(folder)/\(stem(of: episode, copy: copy))"
      + ending(of: part, fileExtension: fileExtension)
  }

  /// The path of another part beside the video that is already there: players find subtitles and
  /// pictures by the video's own stem.
  package static func path(
    beside video: String, part: Part, fileExtension: String
  ) -> String {
    let bytes = video.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:)) ?? bytes.startIndex
    let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")) ?? start
    let stem = dot == start ? video : String(video[..<dot])
    return stem + ending(of: part, fileExtension: fileExtension)
  }

  /// What stands between the stem and the end: `.mp4`, `.en.forced.srt`, `-thumb.jpg`, `.nfo`.
  package static func ending(of part: Part, fileExtension: String) -> String {
    let language = part.language.flatMap { LanguageTag.normalised($0) }.map { ".\($0)" } ?? ""
    let flags = (part.isForced ? ".forced" : "") + (part.isSDH ? ".sdh" : "")
    let dotted = ".\(plain(fileExtension) ?? usualExtension(of: part.role))"
    return switch part.role {
    case .subtitle: language + flags + dotted
    case .image: "-thumb" + language + dotted
    case .video, .metadata, .key: language + dotted
    }
  }

  private static func stem(of episode: Episode, copy: Int) -> String {
    let place = place(of: episode).map { " - \($0)" } ?? ""
    let number = copy > 1 ? " (\(copy))" : ""
    let front = showName(of: episode) + place
    let limit = SafeName.longest - room - front.utf8.count - number.utf8.count - 3
    let title = SafeName.component(episode.title, limit: limit)
    return front + (title.isEmpty ? "" : " - \(title)") + number
  }

  private static func showName(of episode: Episode) -> String {
    let name = SafeName.component(episode.showTitle, limit: longestShow)
    return name.isEmpty ? episode.id.show : name
  }

  /// `S01E02`, or the day of a daily show. An episode with a number alone counts as season 1.
  private static func place(of episode: Episode) -> String? {
    if let number = episode.number {
      return "S\(Slug.padded(episode.season ?? 1))E\(Slug.padded(number))"
    }
    return episode.date?.description
  }

  /// `Season 01`, `Specials`, the year of a daily show, or none.
  private static func seasonFolder(of episode: Episode) -> String? {
    if episode.number != nil || episode.season != nil {
      let season = episode.season ?? 1
      return season == 0 ? "Specials" : "Season \(Slug.padded(season))"
    }
    return episode.date.map { "Season \($0.description.prefix(4))" }
  }

  private static func plain(_ fileExtension: String) -> String? {
    let lower = fileExtension.lowercased()
    guard (1...8).contains(lower.utf8.count),
      lower.utf8.allSatisfy(PercentCoding.isAlphanumeric)
    else { return nil }
    return lower
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
