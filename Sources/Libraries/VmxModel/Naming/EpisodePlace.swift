/// The place of an episode in its show, found in a name: `S01E02-E04`, `1x02`, `2024-05-20`,
/// `- 05`.
struct EpisodePlace: Equatable {
  var season: Int64?
  var number: Int64?
  /// The numbers of a file with several episodes, ascending; empty for one episode.
  var numbers: [Int64] = []
  var date: CalendarDay?
  /// A number without a pattern: within the folder's season, or absolute within the show.
  var bareNumber: Int64?
  /// The position in the name.
  var range: Range<Int>
}

/// The patterns, in the order in which they are tried.
extension EpisodePlace {
  /// Words for an episode in names, in the languages of common tools.
  static let episodeWords: Set<String> = [
    "episode", "episodes", "ep", "eps", "episodio", "épisode", "episódio", "folge", "afsnit",
    "avsnitt", "aflevering", "odcinek", "epizoda", "epizod", "díl", "серия", "эпизод", "bölüm",
    "jakso", "rész", "capitulo", "capítulo", "puntata",
  ]

  /// Returns the place by an explicit pattern: `S01E02`, `Season 1 Episode 2`, then `1x02`, then a
  /// date; the leftmost of each.
  static func explicit(in name: NameText) -> EpisodePlace? {
    lettered(in: name) ?? first(in: name, crossed) ?? first(in: name, dated)
  }

  /// Returns the leftmost `S01E02` or `Season 1 Episode 2`.
  static func lettered(in name: NameText) -> EpisodePlace? { first(in: name, lettered) }

  /// Returns the place that begins at a position, by any explicit pattern.
  static func explicit(in name: NameText, at place: Int) -> EpisodePlace? {
    lettered(name, place) ?? crossed(name, place) ?? dated(name, place)
  }

  private static func first(
    in name: NameText, _ pattern: (NameText, Int) -> EpisodePlace?
  ) -> EpisodePlace? {
    for place in 0..<name.end where name.isWord(place) && !name.isWord(place - 1) {
      if let found = pattern(name, place) { return found }
    }
    return nil
  }

  /// `S01E02`, `S01xE02`, `s01.e02`, `S003 E009`, `Season 3 Episode 9`, `Series 1 - 02`.
  private static func lettered(_ name: NameText, _ start: Int) -> EpisodePlace? {
    let word = name.letters(at: start)
    let isSpelled = SeasonFolder.words.contains(word)
    guard isSpelled || word == "s" else { return nil }
    let digits = isSpelled ? name.skipSeparators(from: start + word.count) : start + 1
    guard let season = name.number(at: digits) else { return nil }
    let middle = name.skipSeparators(from: season.end)
    let mark = name.letters(at: middle)
    let gap = middle - season.end
    var place = middle + mark.count
    if episodeWords.contains(mark) {
      place = name.skipSeparators(from: place)
    } else if mark.isEmpty {
      guard isSpelled, name.isSpacedHyphen(season.end) else { return nil }
    } else {
      guard mark == "e" || gap == 0 && ["x", "xe"].contains(mark) else { return nil }
    }
    guard let number = name.number(at: place), endsNumber(name, number.end) else { return nil }
    return several(name, from: start, season: season.value, number: number)
  }

  /// `1x02`, `2009x02`; never a resolution such as `1920x1080` or a codec such as `5.1x264`.
  private static func crossed(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let season = name.number(at: start, digits: 1...4), name.letters(at: season.end) == "x",
      let number = name.number(at: season.end + 1, digits: 1...4),
      !codecs.contains(number.value), endsNumber(name, number.end)
    else { return nil }
    let length = season.end - start
    let isYear = isYear(season.value) && number.end - season.end <= 3
    guard length <= 2 || isYear else { return nil }
    return several(name, from: start, season: season.value, number: number)
  }

  /// `2024-05-20`, `1996.11.14`, `2023 07 14`, `20-05-2024`.
  private static func dated(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let first = name.number(at: start, digits: 2...4), let mark = name[first.end],
      "-._ ".contains(mark), let month = name.number(at: first.end + 1, digits: 2...2),
      name[month.end] == mark, let last = name.number(at: month.end + 1, digits: 2...4),
      !name.isWord(last.end)
    else { return nil }
    let isYearFirst = first.end - start == 4
    let year = isYearFirst ? first : last
    guard (isYearFirst ? last.end - month.end == 3 : first.end - start == 2 && last.value > 99),
      mark == "-" && isYearFirst || isYear(year.value)
    else { return nil }
    let texts = [
      name.text(start..<first.end), name.text(first.end + 1..<month.end),
      name.text(month.end + 1..<last.end),
    ]
    guard let date = CalendarDay((isYearFirst ? texts : texts.reversed()).joined(separator: "-"))
    else { return nil }
    return EpisodePlace(date: date, range: start..<last.end)
  }

  /// The numbers of `x264` and its successors.
  private static let codecs: Set<Int64> = [264, 265, 266]

  /// Whether a number can be the year of a broadcast.
  static func isYear(_ number: Int64) -> Bool { (1900...2099).contains(number) }

  /// Whether a number ends at a position, or continues as `v2`, `a`, `-E03`, `x03`, `E03`.
  static func endsNumber(_ name: NameText, _ end: Int) -> Bool {
    guard name.isWord(end) else { return true }
    let letters = name.letters(at: end)
    let behind = end + letters.count
    if ["v", "e", "x", "xe", "ep"].contains(letters), name.number(at: behind) != nil {
      return true
    }
    return letters.count == 1 && !name.isWord(behind) && !["p", "i", "k"].contains(letters)
  }
}

/// Files with several episodes.
extension EpisodePlace {
  /// The maximum number of episodes of a range.
  private static let maxRange: Int64 = 100

  /// Extends a place by the numbers that follow, each greater than the previous one: `-E04`, `E04`,
  /// `x04`, `-04`, ` - x04`, ` - 02x04`, ` - S02E04`.
  ///
  /// Two numbers with a hyphen between them are a range: `E01-E04`. All others are a list, which
  /// has no further episodes: `E01E04`, `E23-E24-E26`.
  private static func several(
    _ name: NameText, from start: Int, season: Int64, number: (value: Int64, end: Int)
  ) -> EpisodePlace {
    var last = number
    var numbers = [number.value]
    while let next = following(name, last, season: season, first: number.value) {
      last = next
      numbers.append(next.value)
    }
    if numbers.count == 2, name[number.end] == "-" || name.isSpacedHyphen(number.end) {
      numbers = range(number.value, last.value)
    }
    return EpisodePlace(
      season: season, number: number.value, numbers: numbers.count > 1 ? numbers : [],
      range: start..<last.end)
  }

  /// Returns the numbers of a range; none for more than any file has.
  static func range(_ first: Int64, _ last: Int64) -> [Int64] {
    last - first < maxRange ? Array(first...last) : []
  }

  private static func following(
    _ name: NameText, _ last: (value: Int64, end: Int), season: Int64, first: Int64
  ) -> (value: Int64, end: Int)? {
    let isSpaced = name.isSpacedHyphen(last.end)
    let isJoined = name[last.end] == "-"
    var place = last.end + (isSpaced ? 3 : isJoined ? 1 : 0)
    var isMarked = false
    if isSpaced || isJoined, let same = sameSeason(name, place, season) {
      place = same
    }
    let mark = name.letters(at: place)
    if ["e", "x", "xe", "ep"].contains(mark) {
      place += mark.count
      isMarked = true
    }
    guard isMarked || isJoined, let next = name.number(at: place), next.value > last.value,
      endsNumber(name, next.end)
    else { return nil }
    if mark == "x", codecs.contains(next.value) { return nil }
    // After ' - ' a title may begin with 'E4', but rarely with 'x04' or the whole pattern.
    if isSpaced, mark == "e", name[last.end + 3] == "e" { return nil }
    guard isMarked || next.value - first < maxRange && !name.isWord(next.end) else { return nil }
    return next
  }

  /// Returns the position after `S02` or `02` of the same season, if an `E` or `x` follows.
  private static func sameSeason(_ name: NameText, _ place: Int, _ season: Int64) -> Int? {
    let digits = place + (name.letters(at: place) == "s" ? 1 : 0)
    guard let number = name.number(at: digits), number.value == season,
      ["e", "x", "xe"].contains(name.letters(at: number.end))
    else { return nil }
    return number.end
  }
}
