package import VmxModel

/// Builds file names that Kodi, Jellyfin and Plex all recognise:
/// `Show Name/Season 01/Show Name - S01E02 - Title.mp4`, with `….en.srt` and `…-thumb.jpg` beside
/// it.
///
/// All files of one episode share a stem. The stem leaves room for the longest ending, so that
/// every component has at most 255 bytes.
package enum MediaName {
  /// The number of bytes reserved in a component for endings such as `.zh-Hans-CN.forced.sdh.srt`.
  private static let reservedLength = 64

  /// Returns the path of a part relative to its root, including folders.
  ///
  /// - Parameters:
  ///   - fileExtension: without its dot; replaced unless it is one to eight ASCII letters and
  ///     digits.
  ///   - copy: from 2 on, the stem ends with ` (2)`, for names that are already taken.
  ///   - template: the setting `library.template`; the folder of the episode, if it has one,
  ///     replaces the first folder.
  package static func path(
    for episode: Episode, part: Part, fileExtension: String, copy: Int = 1,
    by template: NameTemplate = .standard
  ) -> String {
    var components = template.components.dropLast().map { pieces in
      SafeName.component(
        NameTemplate.text(of: pieces) {
          value(of: $0, episode, titleLimit: MediaFolder.maxShowLength)
        })
    }
    if let folder = episode.folder {
      components = folder.split(separator: "/").map(String.init) + components.dropFirst()
    }
    components.append(stem(of: episode, copy: copy, template.components.last ?? []))
    return components.filter { !$0.isEmpty }.joined(separator: "/")
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
    let plain = SafeName.isExtension(fileExtension) ? fileExtension.lowercased() : nil
    let dotted = ".\(plain ?? defaultExtension(of: part.role))"
    return switch part.role {
    case .subtitle: language + part.partName.flags + dotted
    case .image: "-thumb" + language + dotted
    case .video, .metadata, .key: language + dotted
    }
  }

  private static func stem(
    of episode: Episode, copy: Int, _ pieces: [NameTemplate.Piece]
  ) -> String {
    let number = copy > 1 ? " (\(copy))" : ""
    let limit = SafeName.maxLength - reservedLength - number.utf8.count
    // The title is shortened to the bytes that the rest of the name leaves.
    let rest = NameTemplate.text(of: pieces) { field in
      field == .title ? "" : value(of: field, episode, titleLimit: 0)
    }
    let separators = pieces.filter { $0.field == .title }.reduce(0) { $0 + $1.text.utf8.count }
    let text = NameTemplate.text(of: pieces) { field in
      value(of: field, episode, titleLimit: limit - rest.utf8.count - separators)
    }
    let stem = SafeName.component(text, limit: limit)
    return (stem.isEmpty ? episode.id.episode : stem) + number
  }

  private static func value(
    of field: NameTemplate.Field, _ episode: Episode, titleLimit: Int
  ) -> String {
    let ownPlace = place(season: episode.season, number: episode.number, date: episode.date)
    switch field {
    case .show: return showFolder(of: episode)
    case .showSlug: return episode.id.show
    case .seasonFolder: return seasonFolder(of: episode) ?? ""
    case .season: return episode.season.map(Slug.padded) ?? ""
    case .number: return episode.number.map(Slug.padded) ?? ""
    case .place: return ownPlace ?? ""
    case .date: return episode.date?.description ?? ""
    case .year: return episode.date.map { String($0.description.prefix(4)) } ?? ""
    case .slug: return episode.id.episode
    case .title:
      // The title of an episode may be its place if the real title is unknown.
      return episode.title == ownPlace ? "" : SafeName.component(episode.title, limit: titleLimit)
    }
  }

  private static func showFolder(of episode: Episode) -> String {
    MediaFolder.name(ofShow: episode.id, title: episode.showTitle)
  }

  /// Returns `S01E02`, or the day of a daily show; nil for neither. A number without a season
  /// counts as season 1.
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

  private static func defaultExtension(of role: PartRole) -> String {
    switch role {
    case .video: "mp4"
    case .subtitle: "srt"
    case .image: "jpg"
    case .metadata: "nfo"
    case .key: "key"
    }
  }
}
