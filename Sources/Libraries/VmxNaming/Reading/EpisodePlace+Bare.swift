import VmxModel

/// Numbers without an `S`, an `x` or a date: `05`, `Show - 05`, `[Group] Show 05 [720p]`,
/// `One Piece 1001`. Years and the numbers of resolutions and codecs never count.
extension EpisodePlace {
  /// The context that decides whether a number at the end of plain words is an episode number.
  struct Setting {
    /// The season of the folder; nil if it is no season folder.
    var season: Int64?
    /// The letters and digits of the show's title in the folder name.
    var show: String?
    /// Whether the text begins after the title of the show.
    var followsShow = false
    /// Whether the files of the folder begin with numbers.
    var isNumbered = false

    /// Whether a number consists of the folder's season and a number: `208` in season 2.
    func isSplit(_ number: Int64) -> Bool {
      season.map { $0 > 0 && number / 100 == $0 && number % 100 > 0 } ?? false
    }
  }

  /// Returns the place from a number alone.
  static func parseBareNumber(in name: NameText, _ around: Setting) -> EpisodePlace? {
    var found =
      leading(name, around) ?? worded(name, around)
      ?? (around.followsShow ? nil : inside(name, around) ?? digits(name))
    found?.addDay(in: name)
    guard let found, found.numbers.isEmpty, let value = found.bareNumber, around.isSplit(value),
      name.digit(found.range.lowerBound)
    else { return found }
    return split(found, value)
  }

  /// Takes the day behind the number, as in `101 (01) - 20021107 - Title`, and the proof that it is
  /// season and number.
  private mutating func addDay(in name: NameText) {
    guard let value = bareNumber, numbers.isEmpty else { return }
    var end = range.upperBound
    if value > 100, let group = name.groupEnd(at: name.skipSeparators(from: end)),
      name.number(at: name.skipSeparators(from: end) + 1, digits: 1...2)?.value == value % 100
    {
      (season, number, bareNumber) = (value / 100, value % 100, nil)
      end = group
    }
    if name.isSpacedHyphen(end), let day = Self.compactDate(name, end + 3) {
      date = day.date
      end = day.range.upperBound
    }
    range = range.lowerBound..<end
  }

  /// `05`, `02-04 - Title`, `01. Title`, `01 Title`, `00001-Title`, `1.2 Title`, also after a
  /// group.
  private static func leading(_ name: NameText, _ around: Setting) -> EpisodePlace? {
    let start = name.endOfLeadingGroups()
    if !around.followsShow, let found = section(name, start) { return found }
    guard let number = plainNumber(name, start, digits: 1...5) else { return nil }
    let isPadded = name[start] == "0" && number.value > 0
    guard isPadded || number.end - start < 5, !name.isYear(after: number.end) else { return nil }
    if name[number.end] == "-", let last = name.number(at: number.end + 1, digits: 1...4),
      last.value > number.value, endsTitle(name, last.end) || isListed(name, last.end)
    {
      return EpisodePlace(
        numbers: range(number.value, last.value), bareNumber: number.value, range: start..<last.end)
    }
    let next = name[number.end]
    let isWordNext =
      name.skipSeparators(from: number.end) == number.end + 1
      && name[number.end + 1]?.isLetter ?? false
    let isNumbered =
      (isPadded && number.value != 7 || around.isNumbered)
      && isWordNext && next.map { " _-.".contains($0) } ?? false
    guard isNumbered || isListed(name, number.end) || endsTitle(name, number.end) else {
      return nil
    }
    // `00001-Title` of yt-dlp: the position in a playlist, which is no number of an episode.
    let isIndex = isPadded && number.end - start > 4
    return EpisodePlace(bareNumber: isIndex ? nil : number.value, range: start..<number.end)
  }

  private static func isListed(_ name: NameText, _ position: Int) -> Bool {
    name[position] == "." && name[position + 1] == " "
  }

  /// `1.2 Title`: the second lesson of the first section of a course.
  private static func section(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let first = name.number(at: start, digits: 1...2), first.value > 0,
      name[first.end] == ".",
      let second = name.number(at: first.end + 1, digits: 1...2), second.value > 0,
      name[second.end] == " "
    else { return nil }
    let title = name.skipSeparators(from: second.end)
    guard name[title]?.isLetter ?? false, !ReleaseTags.isTag(in: name, at: title) else {
      return nil
    }
    return EpisodePlace(
      season: first.value, number: second.value, isSection: true, range: start..<second.end)
  }

  /// `Show - 05`, `[Group] Show [05][1080p]`, `Show 003`, `Show 12 (720p)`, `Show.05.Title`, and
  /// `Show 5` if the folder confirms it.
  private static func inside(_ name: NameText, _ around: Setting) -> EpisodePlace? {
    let front = name.endOfLeadingGroups()
    let end = ReleaseTags.start(in: name, from: front)
    var second: EpisodePlace?
    for start in 0..<end where name.digit(start) && !name.isWord(start - 1) {
      guard let number = plainNumber(name, start) else { continue }
      let isHyphened = start > 3 && name.isSpacedHyphen(start - 3)
      let isGroup = name[start - 1] == "[" && (name[0] == "[" || around.isSplit(number.value))
      let isLast = start > front && name[start - 1].map { " ._".contains($0) } ?? false
      guard isHyphened || isGroup || isLast else { continue }
      let isPadded = isHyphened && name[start] == "0" && number.value > 0
      let isEnd = isGroup ? name[number.end] == "]" : isPadded || endsTitle(name, number.end)
      let isOfYear = isLast && !isHyphened && name.isYear(after: number.end)
      let isSupported =
        isHyphened || isGroup || around.season != nil
        || NameText.folded(name.text(0..<start)) == around.show
      let place = several(name, from: start, season: nil, number: number)
      let isRange = place.numbers.isEmpty || endsTitle(name, place.range.upperBound)
      let found =
        isRange ? place : EpisodePlace(bareNumber: number.value, range: start..<number.end)
      if isSupported, isEnd || !found.numbers.isEmpty, !isOfYear { return found }
      if second == nil, !isOfYear,
        isProbable(name, at: start, number: number, front: front, isEnd: isEnd)
      {
        second = found
      }
    }
    return second
  }

  /// Whether the form of a number after the words of a title makes it an episode's: the zero in
  /// `003` and `.05.`, a group before the title, or a group of tags behind the number.
  private static func isProbable(
    _ name: NameText, at start: Int, number: (value: Int64, end: Int), front: Int, isEnd: Bool
  ) -> Bool {
    let length = number.end - start
    let isPadded = name[start] == "0" && number.value > 0 && (2...3).contains(length)
    guard isEnd else {
      // `09.03.08` is a date, and `Bond 007` a name.
      let isAmongWords = name[number.end].map { "._".contains($0) } ?? false
      return isPadded && length == 2 && isAmongWords && name[number.end + 1]?.isLetter ?? false
        && !name.digit(start - 2)
    }
    if isPadded { return !(length == 3 && number.value == 7) }
    guard length > 1 else { return false }
    let next = name.skipSeparators(from: number.end)
    if front > 0 || isFansub(name, next) { return true }
    return name.groupEnd(at: next).map { ReleaseTags.isIn(name, next..<$0) } ?? false
  }

  private static func isFansub(_ name: NameText, _ position: Int) -> Bool {
    ["vostfr", "vosta", "fansub"].contains(name.letters(at: position))
  }

  /// `show.208.hdtv`, `show.2401.hdtv`, `show.2014.208.title`: season and number, a guess.
  private static func digits(_ name: NameText) -> EpisodePlace? {
    guard name.endOfLeadingGroups() == 0 else { return nil }
    for start in 1..<max(1, name.end)
    where name.digit(start) && "._ ".contains(name[start - 1] ?? "-") {
      guard let number = name.number(at: start, digits: 3...4), !name.isWord(number.end),
        !CalendarDay.isYear(number.value), name[start] != "0", !ReleaseTags.isHeight(number.value),
        (1...36).contains(number.value % 100)
      else { continue }
      let isAfterYear = start > 5 && name.isYear(after: start - 5) && number.end - start == 3
      let next = name.skipSeparators(from: number.end)
      guard isAfterYear || next > number.end && ReleaseTags.isTag(in: name, at: next) else {
        continue
      }
      let place = EpisodePlace(range: start..<number.end)
      return split(place, number.value)
    }
    return nil
  }

  private static func split(_ place: EpisodePlace, _ value: Int64) -> EpisodePlace {
    EpisodePlace(season: value / 100, number: value % 100, isGuess: true, range: place.range)
  }

  private static func plainNumber(
    _ name: NameText, _ start: Int, digits: ClosedRange<Int> = 1...4
  ) -> (value: Int64, end: Int)? {
    guard !name.isWord(start - 1), let number = name.number(at: start, digits: digits),
      !(number.end - start == 4 && CalendarDay.isYear(number.value))
    else { return nil }
    if name[number.end] == "v", let version = name.number(at: number.end + 1, digits: 1...1) {
      return name.isWord(version.end) ? nil : (number.value, version.end)
    }
    return name.isWord(number.end) ? nil : number
  }

  /// Whether a number of up to three digits begins at a position, and a title ends with it.
  static func endsPlainNumber(_ name: NameText, _ start: Int) -> Bool {
    guard let number = plainNumber(name, start, digits: 1...3) else { return false }
    return endsTitle(name, number.end)
  }

  /// Words between a number and the first tag or bracket, which are no title: `05 END [720p]`.
  private static let closingWords: Set<String> = [
    "end", "final", "fin", "oad", "ova", "ona", "special", "vostfr", "vosta", "vf", "hd", "fhd",
    "french", "german", "english", "multi", "ld", "dvb", "par", "sub", "subbed", "dubbed",
  ]

  /// Whether only a title after a hyphen, or technical words, follow.
  static func endsTitle(_ name: NameText, _ position: Int) -> Bool {
    if position == name.end || name.isSpacedHyphen(position) { return true }
    var next = name.skipSeparators(from: position)
    if name[next] == "~" { next = name.skipSeparators(from: next + 1) }
    while next < name.end {
      if let mark = name[next], "[({【".contains(mark) { return true }
      if ReleaseTags.isTag(in: name, at: next) { return true }
      let word = name.letters(at: next)
      guard closingWords.contains(word) else { return false }
      next = name.skipSeparators(from: next + word.count)
    }
    return true
  }
}
