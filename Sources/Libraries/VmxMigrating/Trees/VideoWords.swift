import SystemPackage
import VmxMedia
import VmxModel
import VmxSystem

// Without a record and an NFO file, the video itself describes the episode: by the tags in its
// container, then by the words that yt-dlp writes around the title in its name. Season and number
// still come from an explicit pattern in the name, as with NFO files.

extension LegacyEpisode {
  /// Adds what the video and its name tell.
  ///
  /// - Parameters:
  ///   - name: the parsed name of the video.
  ///   - stem: its file name without the extension.
  mutating func describe(by name: EpisodeFileName, stem: String, _ video: FilePath) {
    readWords(ofName: stem)
    guard let tags = Self.tags(of: video) else { return }
    let hasMade = description.derived.contains(.title)
    if let title = tags.title, TagTitle.isTitle(title, ofFile: stem), hasMade {
      set(title, .title, to: \.title)
    }
    set(tags.show, .showTitle, to: \.showTitle)
    if let date = tags.date {
      set(date, .date, to: \.date)
      // The day of an upload is not that of a daily show.
      if name.date == nil { description.isDaily = false }
    }
    if name.number == nil {
      let isDescribed = !description.derived.contains(.title) && tags.date != nil
      if let number = tags.number {
        set(number, .number, to: \.number)
        if name.season == nil { set(tags.season, .season, to: \.season) }
      } else if isDescribed {
        // A bare number may be a position in a playlist.
        description.number = nil
      }
    }
    description.summary = description.summary ?? tags.summary
    if let page = tags.page { addPage(page) }
    guard description.origin == .tags || tags.summary != nil || tags.page != nil else { return }
    description.origin = .tags
    evidence.append("tags")
    let isDescribed = description.date != nil && !description.derived.contains(.title)
    if isDescribed || tags.page != nil { doubts.removeAll { $0 == .nameOnly } }
  }

  private static func tags(of video: FilePath) -> MediaTags? {
    do throws(FileError) {
      return try MediaTags(of: OpenFile(video, .readOnly))
    } catch {
      // The migration of the file reports that it cannot be read.
      return nil
    }
  }

  private mutating func set<Value>(
    _ value: Value?, _ field: PathField, to path: WritableKeyPath<EpisodeDescription, Value?>
  ) {
    guard let value else { return }
    description[keyPath: path] = value
    description.derived.remove(field)
    description.origin = .tags
  }

  /// Adds the page from which the video was saved, with the id at its site.
  private mutating func addPage(_ page: WebURL) {
    description.pageURL = description.pageURL ?? page.withoutTracking
    guard let key = SiteID.key(ofPage: page), !description.identity.contains(key) else { return }
    description.identity.append(key)
  }

  /// Reads a day YYYYMMDD at the beginning of the title, and an id in brackets at its end.
  private mutating func readWords(ofName stem: String) {
    guard var title = description.title, title == stem else { return }
    if description.date == nil, let (day, rest) = Self.leadingDay(of: title) {
      description.date = day
      description.isDaily = false
      title = rest
    }
    if kind != .ytDlp, let id = SiteID.bracketed(in: title), SiteID.isCertain(id) {
      title = String(title.dropLast(id.count + 2)).trimmingSpaces
      if let key = SiteID.key(id) { description.identity.append(key) }
      evidence.append("[\(id)]")
    }
    guard title != stem else { return }
    let place = MediaName.place(
      season: description.season, number: description.number, date: description.date)
    description.title = title.isEmpty ? place ?? stem : title
  }

  /// Returns the day at the beginning of a name, and the words after it; nil for another number.
  private static func leadingDay(of name: String) -> (CalendarDay, String)? {
    let digits = name.prefix(8)
    let rest = name.dropFirst(8)
    guard digits.count == 8, digits.utf8.allSatisfy(\.isASCIIDigit),
      rest.first.map({ " -_.".contains($0) }) ?? true,
      let year = Int(digits.prefix(4)), (1950...2099).contains(year),
      let day = CalendarDay(
        "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
    else { return nil }
    return (day, String(rest.drop { " -_.".contains($0) }))
  }
}
