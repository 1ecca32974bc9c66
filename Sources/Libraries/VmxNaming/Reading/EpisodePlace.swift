import VmxModel

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
  /// Whether season and number are the digits of one number, as in `show.208`.
  var isGuess = false
  /// Whether the season is a section of a course, as in `1.2 Title`; that of a folder precedes it.
  var isSection = false
  /// The position in the name.
  var range: Range<Int>

  /// Whether the place is only a position in a playlist, which tells no number and no day.
  var isOnlyIndex: Bool { number == nil && bareNumber == nil && date == nil && numbers.isEmpty }
}

/// The patterns, in the order in which they are tried.
extension EpisodePlace {
  /// Returns the place by an explicit pattern: `S01E02`, `Season 1 Episode 2`, then `1x02`, then a
  /// date; the leftmost of each.
  static func explicit(in name: NameText) -> EpisodePlace? {
    lettered(in: name) ?? first(in: name, crossed) ?? first(in: name, dated)
      ?? first(in: name, compactDate)
  }

  /// Returns the leftmost `S01E02` or `Season 1 Episode 2`.
  static func lettered(in name: NameText) -> EpisodePlace? { first(in: name, lettered) }

  /// Returns the place that begins at a position, by any explicit pattern.
  static func explicit(in name: NameText, at position: Int) -> EpisodePlace? {
    lettered(name, position) ?? crossed(name, position) ?? dated(name, position)
      ?? compactDate(name, position)
  }

  /// Returns the leftmost place that a pattern finds at the beginning of a word.
  static func first(
    in name: NameText, _ pattern: (NameText, Int) -> EpisodePlace?
  ) -> EpisodePlace? {
    for position in 0..<name.end where name.isWord(position) && !name.isWord(position - 1) {
      if let found = pattern(name, position) { return found }
    }
    return nil
  }

  /// `S01E02`, `S01xE02`, `s01.e02`, `S003 E009`, `T01E02`, `Season 3 Episode 9`, `Series 1 - 02`,
  /// `S2 - 06`.
  private static func lettered(_ name: NameText, _ start: Int) -> EpisodePlace? {
    let word = name.letters(at: start)
    let isSpelled = SeasonMark.words.contains(word)
    guard isSpelled || word == "s" || word == "t" else { return nil }
    let digits = isSpelled ? name.skipSeparators(from: start + word.count) : start + 1
    guard let season = name.number(at: digits) else { return nil }
    let middle = name.skipSeparators(from: season.end)
    let mark = name.letters(at: middle)
    let gap = middle - season.end
    var position = middle + mark.count
    if word == "t" {
      guard gap == 0, ["e", "xe"].contains(mark), season.end - digits == 2 else { return nil }
    } else if episodeWords.contains(mark) {
      position = name.skipSeparators(from: position)
    } else if mark.isEmpty {
      guard name.isSpacedHyphen(season.end) else { return nil }
      guard isSpelled || endsPlainNumber(name, middle) else { return nil }
    } else {
      let isNear = gap == 0 || gap == 1 && name[season.end] == "-"
      guard mark == "e" || isNear && ["x", "xe"].contains(mark) else { return nil }
    }
    guard let number = name.number(at: position), endsNumber(name, number.end),
      !(episodeWords.contains(mark) && number.end - position == 4
        && CalendarDay.isYear(number.value))
    else { return nil }
    return several(name, from: start, season: season.value, number: number)
  }

  /// `1x02`, `2009x02`, `1 x 02`; never a resolution such as `1920x1080` or a codec such as
  /// `5.1x264`.
  private static func crossed(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let season = name.number(at: start, digits: 1...4) else { return nil }
    let isSpaced = name[season.end] == " " && name[season.end + 2] == " "
    let mark = season.end + (isSpaced ? 1 : 0)
    guard name.letters(at: mark) == "x",
      let number = name.number(at: mark + (isSpaced ? 2 : 1), digits: 1...4),
      !codecs.contains(number.value), endsNumber(name, number.end)
    else { return nil }
    let length = season.end - start
    let isYear = CalendarDay.isYear(season.value) && number.end - season.end <= 3
    guard length <= 2 || isYear else { return nil }
    // `4 x 10` is also a product in a title.
    guard !isSpaced || number.end - mark == 4 && endsTitle(name, number.end) else { return nil }
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
      mark == "-" && isYearFirst || CalendarDay.isYear(year.value)
    else { return nil }
    let texts = [
      name.text(start..<first.end), name.text(first.end + 1..<month.end),
      name.text(month.end + 1..<last.end),
    ]
    guard let date = CalendarDay((isYearFirst ? texts : texts.reversed()).joined(separator: "-"))
    else { return nil }
    return EpisodePlace(date: date, range: start..<last.end)
  }

  /// `20240520` at the beginning of a name, or after a hyphen.
  static func compactDate(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard start == 0 || name.isSpacedHyphen(start - 3),
      let number = name.number(at: start, digits: 8...8), !name.isWord(number.end),
      CalendarDay.isYear(number.value / 10000)
    else { return nil }
    let texts = [
      name.text(start..<start + 4), name.text(start + 4..<start + 6),
      name.text(start + 6..<number.end),
    ]
    return CalendarDay(texts.joined(separator: "-")).map {
      EpisodePlace(date: $0, range: start..<number.end)
    }
  }

  /// The numbers of `x264` and its successors.
  static let codecs: Set<Int64> = [264, 265, 266]

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
