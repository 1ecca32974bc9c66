import VmxModel

/// A season that is written in a name: `S02`, `Season 2`, `Staffel II`, `2. évad`, `第二季`, `2期`.
struct SeasonMark: Equatable {
  /// The season; 0 for specials.
  let season: Int64
  /// The position of the word and its number in the name.
  let range: Range<Int>
  /// Whether a word or character for a season is written out, not only `S`.
  let isSpelled: Bool

  /// Words for a season in the languages of common tools.
  static let words: Set<String> = [
    "season", "series", "staffel", "saison", "stagione", "temporada", "seizoen", "sæson", "säsong",
    "sesong", "kausi", "sezon", "sezona", "sezóna", "sezonul", "seasong", "série", "serie", "évad",
    "сезон", "시즌", "シーズン", "saisons", "seasons",
  ]
  /// The words that follow their number, as in `2. évad`; English ones need `2nd`.
  private static let trailingWords = words.subtracting([
    "season", "series", "seasons", "serie", "série", "saisons",
  ])

  /// Returns the leftmost mark that begins in a range of a name and ends there.
  static func first(in name: NameText, _ range: Range<Int>) -> SeasonMark? {
    for position in range {
      let found =
        name.isWord(position) && !name.isWord(position - 1)
        ? spelled(name, position) ?? ordinal(name, at: position, limit: range.upperBound)
          ?? short(name, position) : nil
      if let mark = found ?? ideographic(name, position), mark.range.upperBound <= range.upperBound
      {
        return mark
      }
    }
    return nil
  }

  /// `Season 2`, `Temporada.2`, `Saison II`; any length of the number.
  private static func spelled(_ name: NameText, _ position: Int) -> SeasonMark? {
    let word = name.letters(at: position)
    guard words.contains(word) else { return nil }
    let digits = name.skipSeparators(from: position + word.count)
    if let number = name.number(at: digits), !name.isWord(number.end) {
      return SeasonMark(season: number.value, range: position..<number.end, isSpelled: true)
    }
    let numeral = name.letters(at: digits)
    guard digits > position + word.count, name.isUppercase(digits),
      let value = Numeral.roman[numeral]
    else { return nil }
    return SeasonMark(season: value, range: position..<digits + numeral.count, isSpelled: true)
  }

  /// `S02`, up to four digits.
  private static func short(_ name: NameText, _ position: Int) -> SeasonMark? {
    guard name.letters(at: position) == "s",
      let number = name.number(at: position + 1, digits: 1...4),
      !name.isWord(number.end)
    else { return nil }
    return SeasonMark(season: number.value, range: position..<number.end, isSpelled: false)
  }

  /// `2. Staffel`, `1ª Temporada`, `2nd Season`, `5-й сезон`, without a number after the word.
  private static func ordinal(_ name: NameText, at position: Int, limit: Int) -> SeasonMark? {
    guard let number = name.number(at: position, digits: 1...2),
      let word = Numeral.wordAfterOrdinal(name, number.end)
    else { return nil }
    let text = name.letters(at: word)
    let isEnglish =
      text == "season" && ["st", "nd", "rd", "th"].contains(name.letters(at: number.end))
    let end = word + text.count
    let next = name.skipSeparators(from: end)
    guard isEnglish || trailingWords.contains(text), next >= limit || !name.digit(next) else {
      return nil
    }
    return SeasonMark(season: number.value, range: position..<end, isSpelled: true)
  }

  /// `第二季`, `第2期`, `2期`.
  private static func ideographic(_ name: NameText, _ position: Int) -> SeasonMark? {
    guard let (value, end) = Numeral.counted(name, position, units: ["季", "期"]) else { return nil }
    return SeasonMark(season: value, range: position..<end, isSpelled: true)
  }
}

/// Numbers in names that are not written in ASCII digits alone.
enum Numeral {
  /// The Roman numerals of seasons, in lower case.
  static let roman: [String: Int64] = [
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10,
  ]
  private static let ideographs: [Character: Int64] = [
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
  ]

  /// Returns the position of the word after an ordinal number: after `.`, `ª`, `nd`, `-й`, `a.` and
  /// separators.
  static func wordAfterOrdinal(_ name: NameText, _ end: Int) -> Int? {
    var position = end
    while let mark = name[position], ".ªº".contains(mark) { position += 1 }
    if name[position] == "-", name.isWord(position + 1) { position += 1 }
    let suffix = name.letters(at: position)
    if ["st", "nd", "rd", "th", "a", "o", "й", "я", "го", "ая", "ый", "ой"].contains(suffix) {
      position += suffix.count
      while name[position] == "." { position += 1 }
    }
    let word = name.skipSeparators(from: position)
    return name.isWord(word) ? word : nil
  }

  /// Returns the value of `第3集`, `第二季` or `3集`, and its end.
  static func counted(
    _ name: NameText, _ start: Int, units: Set<Character>
  ) -> (value: Int64, end: Int)? {
    let isOrdinal = name[start] == "第"
    guard isOrdinal || name.digit(start) && !name.isWord(start - 1) else { return nil }
    let position = isOrdinal ? start + 1 : start
    guard let number = name.number(at: position, digits: 1...4) ?? ideographic(name, position),
      let unit = name[number.end], units.contains(unit)
    else { return nil }
    return (number.value, number.end + 1)
  }

  /// `三`, `十`, `十一`, `二十三`: up to 99.
  private static func ideographic(_ name: NameText, _ start: Int) -> (value: Int64, end: Int)? {
    var position = start
    var value = name[position].flatMap { ideographs[$0] }
    if value != nil { position += 1 }
    if name[position] == "十" {
      position += 1
      value = (value ?? 1) * 10
      if let unit = name[position].flatMap({ ideographs[$0] }) {
        value = (value ?? 0) + unit
        position += 1
      }
    }
    return value.map { ($0, position) }
  }
}
