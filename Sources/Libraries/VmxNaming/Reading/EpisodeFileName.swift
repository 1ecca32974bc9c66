package import VmxModel

/// The episode that the path of a video identifies by the conventions of Kodi, Jellyfin and Plex;
/// the inverse of `MediaName`.
///
/// Patterns are tried in this order: `S01E02`, `1x02`, a date, a number alone. A season may come
/// from the folder. Digits of resolutions, codecs and years are never numbers of an episode, nor
/// those of a film that has its own folder.
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
  /// Whether season and number are a guess from one number, as in `show.208.hdtv`.
  package private(set) var isGuess = false
  /// The file name without extension and without ids of catalogues, the title of last resort.
  package private(set) var plainStem: String
  /// Whether the file is a trailer, a sample or another extra instead of an episode.
  package private(set) var isExtra = false

  /// Whether the name has a number or a date that identifies the episode.
  package var hasPlace: Bool { number != nil || date != nil || absolute != nil }

  /// Parses a path, including the folders above the file.
  ///
  /// - Parameter isNumbered: whether the files of the folder begin with numbers, so that `10 Title`
  ///   has the number 10; see `isNumbered(_:)`.
  package init(_ path: String, isNumbered: Bool = false) {
    var folders = path.split(separator: "/").map(String.init)[...]
    let stem = Self.stem(folders.popLast() ?? "")
    plainStem = CatalogueHint.removed(from: stem)
    let isOwnFolder = { Self.remainder(of: stem, after: $0) != nil }
    while folders.count > 1, let folder = folders.last, InnerFolder.isOne(folder) {
      folders.removeLast()
    }
    var isBesideExtras = false
    if let folder = folders.last, ExtraNames.isFolder(folder), !isOwnFolder(folder) {
      isBesideExtras = true
      folders.removeLast()
    }
    isExtra = isBesideExtras || ExtraNames.isStem(stem)
    let text = NameText(stem)
    let isFilm =
      folders.last.map { Self.isNamed($0, text) && Self.remainder(of: stem, after: $0) ?? "" == "" }
      ?? false
    var seasonFolder: SeasonFolder?
    if let folder = folders.last, folders.count > 1 || !isOwnFolder(folder), !isFilm {
      seasonFolder = SeasonFolder(folder, below: folders.dropLast().last)
    }
    season = seasonFolder?.season
    let folder = seasonFolder == nil ? folders.last : folders.dropLast().last
    var setting = EpisodePlace.Setting()
    (setting.season, setting.isNumbered) = (season, isNumbered)
    let name = StemReading(
      text, stem: stem, in: folder, season: seasonFolder, setting: setting, isFilm: isFilm)
    set(name.place)
    if let place = name.place, place.isOnlyIndex, let title = name.title { plainStem = title }
    if name.place == nil { season = name.season ?? season }
    title = name.title
    showTitle = name.show?.title
    if name.place?.number == nil, name.place?.date == nil, seasonFolder == nil, let folder,
      !name.followsShow
    {
      setPlace(ofFolder: folder, below: folders.dropLast().last)
    }
    // The files of such a folder are the specials of the show above it.
    if isBesideExtras, name.place?.number == nil { season = 0 }
    if isBesideExtras, absolute != nil { (number, absolute) = (absolute, nil) }
  }

  /// Whether the names of a folder's files begin with numbers, some of them with a zero: `01 Title`
  /// beside `10 Title`.
  package static func isNumbered(_ names: some Sequence<String>) -> Bool {
    var isPadded = false
    var count = 0
    for name in names {
      let text = NameText(name)
      guard let number = text.number(at: 0, digits: 2...3), !text.isWord(number.end) else {
        continue
      }
      count += 1
      isPadded = isPadded || text[0] == "0" && number.value > 0 && number.value != 7
      if isPadded, count > 1 { return true }
    }
    return false
  }

  private mutating func set(_ place: EpisodePlace?) {
    guard let place else { return }
    date = place.date
    numbers = place.numbers
    isGuess = place.isGuess
    if let number = place.number {
      if !place.isSection || season == nil { season = place.season }
      self.number = number
    } else if season != nil {
      number = place.bareNumber
    } else {
      absolute = place.bareNumber
    }
    // `Season 2024` is the folder of a daily show's year, not a season.
    if let date, season.map({ date.description.hasPrefix("\($0)-") }) ?? false { season = nil }
  }

  /// Sets the place from the folder of a single episode, as in `Show.S01E02.720p-GRP/grp-s1e2.mkv`.
  /// A day counts only in the name of a release, which has technical words.
  private mutating func setPlace(ofFolder folder: String, below parent: String?) {
    let name = NameText(folder)
    let isRelease = ReleaseTags.start(in: name, from: 0) < name.end
    guard
      let place = EpisodePlace.lettered(in: name)
        ?? (isRelease && !hasPlace ? .explicit(in: name) : nil),
      !hasPlace || place.numbers.isEmpty
    else { return }
    absolute = nil
    set(place)
    let own = ShowName(inName: name.text(0..<place.range.lowerBound))
    showTitle = (own.show.isEmpty ? parent.map { ShowName($0) } : own)?.title
    title = EpisodeTitle.text(name, behind: place)
  }

  /// Whether a folder has the name of the file up to its technical words, as that of a film.
  private static func isNamed(_ folder: String, _ stem: NameText) -> Bool {
    guard let first = folder.first, first.lowercased() == stem[0].map(String.init) else {
      return false
    }
    let text = NameText.folded(stem.text(0..<ReleaseTags.start(in: stem, from: 0)))
    return !text.isEmpty && text == NameText.folded(folder)
  }

  /// Returns the file name without its extension.
  private static func stem(_ file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot > file.startIndex,
      SafeName.isExtension(String(file[file.index(after: dot)...]))
    else { return file }
    return String(file[..<dot])
  }

  /// Returns the text after the title of the show in a stem that `MediaName` wrote; nil for other
  /// stems.
  static func remainder(of stem: String, after show: String) -> String? {
    guard stem.utf8.starts(with: show.utf8) else { return nil }
    let rest = stem.utf8.dropFirst(show.utf8.count)
    let isCopy = rest.starts(with: " (".utf8) && rest.last == UInt8(ascii: ")")
    let number = isCopy ? rest.dropFirst(2).dropLast() : rest
    if number.allSatisfy(\.isASCIIDigit), isCopy || rest.isEmpty { return "" }
    return rest.starts(with: " - ".utf8) ? String(Substring(rest.dropFirst(3))) : nil
  }
}
