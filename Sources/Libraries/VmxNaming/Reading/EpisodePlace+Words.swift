import VmxModel

/// Numbers with a word for an episode or a lecture: `Episode 5`, `E05`, `Lecture 3`, `5. rész`,
/// `第3集`, `2 of 6`, `[Cap.105]`.
extension EpisodePlace {
  /// Words for an episode in names, in the languages of common tools.
  static let episodeWords: Set<String> = [
    "episode", "episodes", "ep", "eps", "episodio", "épisode", "episódio", "folge", "afsnit",
    "avsnitt", "aflevering", "odcinek", "epizoda", "epizod", "díl", "серия", "серии", "эпизод",
    "bölüm", "bolum", "jakso", "rész", "capitulo", "capítulo", "cap", "puntata", "tập", "에피소드",
  ]
  /// Words for a lecture of a course.
  private static let lectureWords: Set<String> = [
    "lecture", "lec", "lesson", "vorlesung", "lektion", "leçon", "lección", "lezione",
  ]
  /// Words that begin the name of a piece of a course or series; elsewhere they belong to titles.
  private static let pieceWords: Set<String> = [
    "part", "teil", "partie", "parte", "chapter", "kapitel", "session", "unit", "day", "video",
  ]
  /// Words for a part of a course that has lectures of its own.
  private static let weekWords: Set<String> = [
    "week", "module", "woche", "modul", "semaine", "semana", "section",
  ]
  /// The words that follow their number: `5. rész`, `09-я серия`.
  private static let countedWords: Set<String> = [
    "серия", "серии", "эпизод", "bölüm", "bolum", "rész", "díl", "odcinek", "jakso",
  ]
  private static let ideographs: Set<Character> = ["集", "話", "话", "回", "화", "회"]

  /// Returns the leftmost number with a word.
  ///
  /// - Parameter around: after the title of the show, words count only at the beginning and after
  ///   a hyphen.
  static func worded(_ name: NameText, _ around: Setting) -> EpisodePlace? {
    let front = name.endOfLeadingGroups()
    for start in 0..<name.end {
      if let (value, end) = Numeral.counted(name, start, units: ideographs) {
        return EpisodePlace(bareNumber: value, range: start..<end)
      }
      guard name.isWord(start), !name.isWord(start - 1) else { continue }
      let isFirst = start == 0 || start == front
      guard !around.followsShow || isFirst || name.isSpacedHyphen(start - 3) else { continue }
      if let found = worded(name, start, isFirst: isFirst) ?? total(name, start) { return found }
    }
    return nil
  }

  private static func worded(_ name: NameText, _ start: Int, isFirst: Bool) -> EpisodePlace? {
    if let week = isFirst ? week(in: name, at: start) : nil {
      let lecture = name.skipSeparators(from: week.end)
      guard lecture > week.end, var found = worded(name, lecture, isFirst: true) else { return nil }
      found.season = week.value
      found.number = found.bareNumber
      found.range = start..<found.range.upperBound
      return found
    }
    let word = name.letters(at: start)
    let isKnown =
      episodeWords.contains(word) || lectureWords.contains(word)
      || isFirst && pieceWords.contains(word)
    guard isKnown || word == "e" else { return ordinal(name, start) }
    let position = isKnown ? name.skipSeparators(from: start + word.count) : start + 1
    guard let number = name.number(at: position, digits: isKnown ? 1...4 : 2...4) else {
      return nil
    }
    if word == "cap", let found = chapter(name, at: start, number: number) { return found }
    if !isKnown || episodeWords.contains(word), endsNumber(name, number.end) {
      return several(name, from: start, season: nil, number: plain(name, number))
    }
    guard !name.isWord(number.end) else { return nil }
    return EpisodePlace(
      bareNumber: number.value, range: start..<(totalEnd(name, number) ?? number.end))
  }

  /// Returns the number and its end after a version such as `v2`.
  private static func plain(
    _ name: NameText, _ number: (value: Int64, end: Int)
  ) -> (value: Int64, end: Int) {
    guard name[number.end] == "v", let version = name.number(at: number.end + 1, digits: 1...1),
      !name.isWord(version.end)
    else { return number }
    return (number.value, version.end)
  }

  /// `Week 3`, and its end; nil for another text.
  static func week(in name: NameText, at start: Int) -> (value: Int64, end: Int)? {
    let word = name.letters(at: start)
    guard weekWords.contains(word),
      let number = name.number(at: name.skipSeparators(from: start + word.count), digits: 1...2),
      !name.isWord(number.end)
    else { return nil }
    return number
  }

  /// `5. rész`, `24 серия`, `09-я серия`.
  private static func ordinal(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let number = name.number(at: start, digits: 1...4),
      let word = Numeral.wordAfterOrdinal(name, number.end)
    else { return nil }
    let text = name.letters(at: word)
    guard countedWords.contains(text) else { return nil }
    return EpisodePlace(bareNumber: number.value, range: start..<word + text.count)
  }

  /// `2 of 6`, `1of4`.
  private static func total(_ name: NameText, _ start: Int) -> EpisodePlace? {
    guard let number = name.number(at: start, digits: 1...3), number.value > 0,
      let end = totalEnd(name, number)
    else { return nil }
    return EpisodePlace(bareNumber: number.value, range: start..<end)
  }

  /// Returns the end of `of 6` after a number.
  private static func totalEnd(_ name: NameText, _ number: (value: Int64, end: Int)) -> Int? {
    let position = name.skipSeparators(from: number.end)
    guard name.letters(at: position) == "of",
      let last = name.number(at: name.skipSeparators(from: position + 2), digits: 1...3),
      last.value >= number.value, !name.isWord(last.end)
    else { return nil }
    return last.end
  }

  /// `Cap.105` is episode 5 of season 1 in brackets; `Cap.102_104` are three.
  private static func chapter(
    _ name: NameText, at start: Int, number: (value: Int64, end: Int)
  ) -> EpisodePlace? {
    guard name[start - 1] == "[", number.value >= 101, number.value % 100 > 0 else { return nil }
    let season = number.value / 100
    var place = EpisodePlace(
      season: season, number: number.value % 100, range: start..<number.end)
    if name[number.end] == "_", let last = name.number(at: number.end + 1, digits: 3...4),
      last.value > number.value, last.value / 100 == season
    {
      place.numbers = range(number.value % 100, last.value % 100)
      place.range = start..<last.end
    }
    return place
  }
}
