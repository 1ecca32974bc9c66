/// Numbers without an `S`, an `x` or a date: `05`, `Show - 05`, `Episode 5`, `One Piece 1001`.
/// Years and the numbers of resolutions and codecs never count.
extension EpisodePlace {
  /// The context that decides whether a number at the end of plain words is an episode number.
  struct Setting {
    /// Whether the folder is a season folder.
    var isSeason = false
    /// The letters and digits of the show's title in the folder name.
    var show: String?
    /// Whether the text begins after the title of the show.
    var followsShow = false
  }

  /// Returns the place from a number alone.
  static func parseBareNumber(in name: NameText, _ around: Setting) -> EpisodePlace? {
    leading(name) ?? worded(name, around) ?? (around.followsShow ? nil : inside(name, around))
  }

  /// `05`, `02-04 - Title`, `01. Title`.
  private static func leading(_ name: NameText) -> EpisodePlace? {
    guard let number = plainNumber(name, 0) else { return nil }
    if name[number.end] == "-", let last = name.number(at: number.end + 1, digits: 1...4),
      last.value > number.value, endsTitle(name, last.end)
    {
      return EpisodePlace(
        numbers: range(number.value, last.value), bareNumber: number.value, range: 0..<last.end)
    }
    let isListed = name[number.end] == "." && name[number.end + 1] == " "
    guard isListed || endsTitle(name, number.end) else { return nil }
    return EpisodePlace(bareNumber: number.value, range: 0..<number.end)
  }

  /// `Episode 5`, `ep_02`, `E05`.
  private static func worded(_ name: NameText, _ around: Setting) -> EpisodePlace? {
    for start in 0..<(around.followsShow ? min(1, name.end) : name.end)
    where name.isWord(start) && !name.isWord(start - 1) {
      let word = name.letters(at: start)
      var place = start + word.count
      if episodeWords.contains(word) {
        place = name.skipSeparators(from: place)
      } else if word != "e" || name.number(at: place, digits: 2...4) == nil {
        continue
      }
      if let number = name.number(at: place, digits: 1...4), !name.isWord(number.end) {
        return EpisodePlace(bareNumber: number.value, range: start..<number.end)
      }
    }
    return nil
  }

  /// `Show - 05`, `[Group] Show [05][1080p]`, and `Show 05` if the folder confirms it.
  private static func inside(_ name: NameText, _ around: Setting) -> EpisodePlace? {
    let end = ReleaseTags.start(in: name, from: 0)
    for start in 0..<end {
      let isHyphened = start > 3 && name.isSpacedHyphen(start - 3)
      let isGroup = name[start - 1] == "[" && name[0] == "["
      let isLast = start > 0 && name[start - 1].map { " ._".contains($0) } ?? false
      guard isHyphened || isGroup || isLast, let number = plainNumber(name, start) else { continue }
      let isSupported =
        isHyphened || isGroup || around.isSeason
        || NameText.folded(name.text(0..<start)) == around.show
      let isEnd = isGroup ? name[number.end] == "]" : endsTitle(name, number.end)
      if isSupported, isEnd {
        return EpisodePlace(bareNumber: number.value, range: start..<number.end)
      }
    }
    return nil
  }

  private static func plainNumber(_ name: NameText, _ start: Int) -> (value: Int64, end: Int)? {
    guard !name.isWord(start - 1), let number = name.number(at: start, digits: 1...4),
      !(number.end - start == 4 && isYear(number.value))
    else { return nil }
    if name[number.end] == "v", let version = name.number(at: number.end + 1, digits: 1...1) {
      return name.isWord(version.end) ? nil : (number.value, version.end)
    }
    return name.isWord(number.end) ? nil : number
  }

  /// Whether only a title after a hyphen, or technical words, follow.
  private static func endsTitle(_ name: NameText, _ place: Int) -> Bool {
    if place == name.end || name.isSpacedHyphen(place) { return true }
    let next = name.skipSeparators(from: place)
    return next == name.end || name[next].map { "[({".contains($0) } ?? false
      || ReleaseTags.start(in: name, from: place) == next
  }
}
