/// The season that a folder name gives: `Season 01`, `Staffel 1`, `S02`, `Specials`, `2`,
/// `The.Show.S04.1080p`.
struct SeasonFolder: Equatable {
  /// The season; 0 for specials.
  let season: Int64
  /// The text before the season, which names the show; empty for none.
  let show: String

  /// Words for a season in the languages of common tools.
  static let words: Set<String> = [
    "season", "series", "staffel", "saison", "stagione", "temporada", "seizoen", "sæson", "säsong",
    "sesong", "kausi", "sezon", "sezona", "sezóna", "sezonul", "seasong", "série", "serie", "évad",
    "сезон", "시즌", "シーズン",
  ]
  private static let specials: Set<String> = ["specials", "special"]

  /// Parses a folder name; nil if it has no season.
  ///
  /// - Parameter parent: the name of the folder above, which may be repeated before the season.
  init?(_ folder: String, below parent: String? = nil) {
    let name = NameText(folder)
    if Self.specials.contains(folder.lowercased()) {
      self.init(season: 0, show: "")
      return
    }
    if let season = Self.parseBareNumber(name, below: parent) ?? Self.ordinal(name) {
      self.init(season: season, show: "")
      return
    }
    let start = parent.flatMap { name.end(of: NameText.folded(ShowName($0).show)) } ?? 0
    guard EpisodePlace.lettered(in: name) == nil,
      !EpisodePlace.episodeWords.contains(name.letters(at: 0)),
      let (season, place) = Self.marked(name, from: start)
    else { return nil }
    self.init(season: season, show: ShowName(inName: name.text(0..<place)).title)
  }

  private init(season: Int64, show: String) {
    self.season = season
    self.show = show
  }

  /// `2`: one or two digits below a folder that is not a collection of films.
  private static func parseBareNumber(_ name: NameText, below parent: String?) -> Int64? {
    guard let parent, !parent.lowercased().hasSuffix("collection"),
      let number = name.number(at: 0, digits: 1...2), number.end == name.end
    else { return nil }
    return number.value
  }

  /// `2. Staffel`, `1ª Temporada`.
  private static func ordinal(_ name: NameText) -> Int64? {
    guard let number = name.number(at: 0, digits: 1...2) else { return nil }
    var place = number.end
    while let mark = name[place], ". ªº".contains(mark) { place += 1 }
    let word = name.letters(at: place)
    return words.contains(word) && place + word.count == name.end ? number.value : nil
  }

  /// The leftmost `S02` or `Season 2` that is a word of its own, and its position.
  private static func marked(_ name: NameText, from start: Int) -> (Int64, Int)? {
    for place in start..<max(start, name.end) where name.isWord(place) && !name.isWord(place - 1) {
      let word = name.letters(at: place)
      let isSpelled = words.contains(word)
      guard isSpelled || word == "s" else { continue }
      let digits = isSpelled ? name.skipSeparators(from: place + word.count) : place + 1
      let length = isSpelled ? 1...19 : 1...4
      if let season = name.number(at: digits, digits: length), !name.isWord(season.end) {
        return (season.value, place)
      }
    }
    return nil
  }
}
