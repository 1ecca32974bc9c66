import VmxModel

/// Files with several episodes.
extension EpisodePlace {
  /// The maximum number of episodes of a range.
  private static let maxRange: Int64 = 100

  /// Extends a place by the numbers that follow, each greater than the previous one: `-E04`, `E04`,
  /// `x04`, `-04`, `+04`, ` - x04`, ` - 02x04`, ` - S02E04`, ` and S02E04`.
  ///
  /// Two numbers with a hyphen between them are a range: `E01-E04`. All others are a list, which
  /// has no further episodes: `E01E04`, `E23-E24-E26`.
  ///
  /// - Parameter season: nil for numbers without a season.
  static func several(
    _ name: NameText, from start: Int, season: Int64?, number: (value: Int64, end: Int)
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
    if numbers.count == 1 { numbers = [] }
    return season == nil
      ? EpisodePlace(numbers: numbers, bareNumber: number.value, range: start..<last.end)
      : EpisodePlace(
        season: season, number: number.value, numbers: numbers, range: start..<last.end)
  }

  /// Returns the numbers of a range; none for more than any file has.
  static func range(_ first: Int64, _ last: Int64) -> [Int64] {
    last - first < maxRange ? Array(first...last) : []
  }

  private static func following(
    _ name: NameText, _ last: (value: Int64, end: Int), season: Int64?, first: Int64
  ) -> (value: Int64, end: Int)? {
    let isSpaced = name.isSpacedHyphen(last.end)
    let isJoined = name[last.end].map { "-+&".contains($0) } ?? false
    var position = last.end + (isSpaced ? 3 : isJoined ? 1 : 0)
    var isMarked = false
    let word = name.skipSeparators(from: last.end)
    if isSpaced || isJoined, let same = sameSeason(name, at: position, season: season) {
      position = same
    } else if word > last.end, name.letters(at: word) == "and" || name[word] == "&",
      let same = sameSeason(
        name, at: name.skipSeparators(from: word + name.letters(at: word).count), season: season)
    {
      position = same
    }
    let mark = name.letters(at: position)
    if ["e", "x", "xe", "ep"].contains(mark) {
      position += mark.count
      isMarked = true
    }
    guard isMarked || isJoined, let next = name.number(at: position), next.value > last.value,
      endsNumber(name, next.end)
    else { return nil }
    if mark == "x", codecs.contains(next.value) { return nil }
    // After ' - ' a title may begin with 'E4', but rarely with 'x04' or the whole pattern.
    if isSpaced, mark == "e", name[last.end + 3] == "e" { return nil }
    guard isMarked || next.value - first < maxRange && !name.isWord(next.end) else { return nil }
    return next
  }

  /// Returns the position after `S02` or `02` of the same season, if an `E` or `x` follows.
  private static func sameSeason(_ name: NameText, at position: Int, season: Int64?) -> Int? {
    let digits = position + (name.letters(at: position) == "s" ? 1 : 0)
    guard let number = name.number(at: digits), number.value == season,
      ["e", "x", "xe"].contains(name.letters(at: number.end))
    else { return nil }
    return number.end
  }
}
