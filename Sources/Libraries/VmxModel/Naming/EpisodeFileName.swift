/// The episode that the path of a video identifies by the conventions of Kodi, Jellyfin and Plex;
/// the inverse of `MediaName`.
///
/// Patterns are tried in this order: `S01E02`, `1x02`, a date, a number alone. A season may come
/// from the folder. Digits of resolutions, codecs and years are never numbers of an episode.
///
///     let name = EpisodeFileName("Show (2020)/Season 01/Show (2020) - S01E02 - Title.mkv")
///
/// Only the text of the path is known: a title that contains `S01E02` is parsed as a number.
package struct EpisodeFileName: Sendable, Equatable {
  /// The title of the show including the year, which distinguishes shows of the same name.
  package private(set) var showTitle: String?
  /// The season; 0 for specials.
  package private(set) var season: Int64?
  /// The number within the season.
  package private(set) var number: Int64?
  /// The numbers of a file with several episodes, ascending; empty for one episode.
  package private(set) var numbers: [Int64] = []
  /// An absolute number, counted through the whole show; only without a season.
  package private(set) var absolute: Int64?
  /// The day of first showing.
  package private(set) var date: CalendarDay?
  /// The title of the episode; nil if the name has no pattern, or nothing after it.
  package private(set) var title: String?
  /// Whether the file is a trailer, a sample or another extra instead of an episode.
  package private(set) var isExtra = false

  /// Whether the name has a number or a date that identifies the episode.
  package var hasPlace: Bool { number != nil || date != nil || absolute != nil }

  /// Parses a path, including up to two folders above the file.
  package init(_ path: String) {
    var folders = path.split(separator: "/").map(String.init)[...]
    let stem = Self.stem(folders.popLast() ?? "")
    let isOwnFolder = { Self.remainder(of: stem, after: $0) != nil }
    if let folder = folders.last, ExtraNames.isFolder(folder), !isOwnFolder(folder) {
      isExtra = true
      folders.removeLast()
    }
    isExtra = isExtra || ExtraNames.isStem(stem)
    var seasonFolder: SeasonFolder?
    if let folder = folders.last, folders.count > 1 || !isOwnFolder(folder) {
      seasonFolder = SeasonFolder(folder, below: folders.dropLast().last)
    }
    season = seasonFolder?.season
    let folder = seasonFolder == nil ? folders.last : folders.dropLast().last
    let name = Reading(stem, in: folder, season: seasonFolder)
    set(name.place)
    title = name.title
    showTitle = name.show?.title
    if name.place == nil, seasonFolder == nil, let folder, !name.followsShow {
      setPlace(ofFolder: folder, below: folders.dropLast().last)
    }
  }

  private mutating func set(_ place: EpisodePlace?) {
    guard let place else { return }
    date = place.date
    numbers = place.numbers
    if let number = place.number {
      (season, self.number) = (place.season, number)
    } else if season != nil {
      number = place.bareNumber
    } else {
      absolute = place.bareNumber
    }
    // `Season 2024` is the folder of a daily show's year, not a season.
    if let date, season.map({ date.description.hasPrefix("\($0)-") }) ?? false { season = nil }
  }

  /// Sets the place from the folder of a single episode, as in `Show.S01E02.720p-GRP/grp-s1e2.mkv`.
  private mutating func setPlace(ofFolder folder: String, below parent: String?) {
    let name = NameText(folder)
    guard let place = EpisodePlace.lettered(in: name) else { return }
    set(place)
    let own = ShowName(inName: name.text(0..<place.range.lowerBound))
    showTitle = (own.show.isEmpty ? parent.map { ShowName($0) } : own)?.title
    title = EpisodeTitle.text(name, from: place.range.upperBound)
  }

  /// Returns the file name without its extension.
  private static func stem(_ file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex,
      MediaName.isExtension(String(file[file.index(after: dot)...]))
    else { return file }
    return String(file[..<dot])
  }

  /// Returns the text after the title of the show in a stem that `MediaName` wrote; nil for other
  /// stems.
  fileprivate static func remainder(of stem: String, after show: String) -> String? {
    guard stem.utf8.starts(with: show.utf8) else { return nil }
    let rest = stem.utf8.dropFirst(show.utf8.count)
    let isCopy = rest.starts(with: " (".utf8) && rest.last == UInt8(ascii: ")")
    let number = isCopy ? rest.dropFirst(2).dropLast() : rest
    if number.allSatisfy(\.isASCIIDigit), isCopy || rest.isEmpty { return "" }
    return rest.starts(with: " - ".utf8) ? String(Substring(rest.dropFirst(3))) : nil
  }
}

/// The stem of a video, parsed with its folders as context.
private struct Reading {
  var place: EpisodePlace?
  var title: String?
  var show: ShowName?
  /// Whether the stem begins with the title of the show from the folder, and a hyphen.
  let followsShow: Bool

  /// - Parameter folder: the folder of the show, if there is one.
  init(_ stem: String, in folder: String?, season: SeasonFolder?) {
    let folderName = folder.map { ShowName($0) }
    if let folder, let rest = EpisodeFileName.remainder(of: stem, after: folder) {
      followsShow = true
      show = folderName
      readAfterShow(NameText(rest), season)
      return
    }
    followsShow = false
    let name = NameText(stem)
    let folded = folderName.map { NameText.folded($0.show) }
    place =
      EpisodePlace.explicit(in: name)
      ?? EpisodePlace.parseBareNumber(in: name, .init(isSeason: season != nil, show: folded))
    let own = place.map { ShowName(inName: name.text(0..<$0.range.lowerBound)) }
    show = Self.choose(own, folder: folderName, season)
    title = place.flatMap { EpisodeTitle.text(name, from: $0.range.upperBound) }
  }

  /// Parses the text after `Show - `. Any pattern may occur at its beginning, only `S01E02`
  /// elsewhere.
  private mutating func readAfterShow(_ name: NameText, _ season: SeasonFolder?) {
    let start = name[0].map { "[(".contains($0) } ?? false ? 1 : 0
    place =
      EpisodePlace.explicit(in: name, at: start) ?? EpisodePlace.lettered(in: name)
      ?? EpisodePlace.parseBareNumber(in: name, .init(isSeason: season != nil, followsShow: true))
    title = place.flatMap { EpisodeTitle.text(name, from: $0.range.upperBound) }
  }

  /// Selects the title of the show. The folder above a season is that of the show. Another folder
  /// is used only if the name begins with the same title, or with none.
  private static func choose(
    _ own: ShowName?, folder: ShowName?, _ season: SeasonFolder?
  ) -> ShowName? {
    let own = own.flatMap { $0.show.isEmpty ? nil : $0 }
    if let season, !season.show.isEmpty {
      let combined = ShowName(season.show)
      return folder.map { isSame($0, combined) } ?? false ? folder : combined
    }
    guard let folder, let own, season == nil else { return folder ?? own }
    return isSame(folder, own) ? folder : own
  }

  private static func isSame(_ left: ShowName, _ right: ShowName) -> Bool {
    NameText.folded(left.show) == NameText.folded(right.show)
  }
}

/// The title of an episode after its place.
private enum EpisodeTitle {
  /// Returns the title: the rest after ` - ` without bracketed technical groups, or the words up to
  /// the first technical one; nil if nothing is left.
  static func text(_ name: NameText, from place: Int) -> String? {
    var start = place
    while let mark = name[start], "])}".contains(mark) { start += 1 }
    guard !name.isSpacedHyphen(start) else {
      let title = ReleaseTags.withoutGroups(name, from: start + 3)
      let words = name[start] == "_" ? title.replacing("_", with: " ") : title
      return words.contains { $0.isLetter || $0.isNumber } ? trimmed(words, " ") : nil
    }
    start = name.skipSeparators(from: start)
    let end = max(start, ReleaseTags.start(in: name, from: start))
    let text = trimmed(name.text(start..<end), " ._-–[({,")
    guard text.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return text.contains(" ") ? text : ShowName.spaced(of: text)
  }

  private static func trimmed(_ text: String, _ marks: String) -> String {
    var rest = Substring(text)
    while let first = rest.first, marks.contains(first), first != "[", first != "(" {
      rest.removeFirst()
    }
    while let last = rest.last, marks.contains(last) { rest.removeLast() }
    return String(rest)
  }
}

/// Names of trailers, samples and other extras, as Jellyfin and Plex read them.
private enum ExtraNames {
  private static let folders: Set<String> = [
    "trailers", "behind the scenes", "deleted scenes", "featurettes", "interviews", "scenes",
    "shorts", "extras", "other", "samples", "sample", "clips", "backdrops", "theme-music",
  ]
  private static let suffixes = [
    "trailer", "sample", "behindthescenes", "deleted", "deletedscene", "featurette", "interview",
    "scene", "short", "other", "clip", "extra",
  ]

  static func isFolder(_ name: String) -> Bool { folders.contains(name.lowercased()) }

  static func isStem(_ stem: String) -> Bool {
    let stem = stem.lowercased()
    return ["sample", "trailer", "theme"].contains(stem) || stem.hasSuffix(".sample")
      || stem.hasSuffix(".trailer") || suffixes.contains { stem.hasSuffix("-\($0)") }
  }
}
