import VmxModel

/// The season that a folder name gives: `Season 01`, `Staffel 1`, `S02`, `Specials`, `2`,
/// `The.Show.S04.1080p`.
package struct SeasonFolder: Equatable {
  /// The season; 0 for specials.
  package let season: Int64
  /// The text before the season, which names the show; empty for none.
  let show: String

  private static let specials: Set<String> = [
    "specials", "special", "especiales", "especiais", "speciali", "sonderfolgen", "hors-série",
  ]

  /// Parses a folder name; nil if it has no season.
  ///
  /// - Parameter parent: the name of the folder above, which may be repeated before the season.
  package init?(_ folder: String, below parent: String? = nil) {
    let name = NameText(folder)
    if Self.specials.contains(folder.lowercased()) {
      self.init(season: 0, show: "")
      return
    }
    if let season = Self.parseBareNumber(name, below: parent) ?? Self.week(name, below: parent) {
      self.init(season: season, show: "")
      return
    }
    let start = parent.flatMap { name.end(of: NameText.folded(ShowName($0).show)) } ?? 0
    guard EpisodePlace.lettered(in: name) == nil,
      !EpisodePlace.episodeWords.contains(name.letters(at: 0)),
      let mark = SeasonMark.first(in: name, start..<max(start, name.end))
    else { return nil }
    self.init(
      season: mark.season, show: ShowName(inName: name.text(0..<mark.range.lowerBound)).title)
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

  /// `Week 3`, `Module 2 - Title`: the parts of a course, below its folder.
  private static func week(_ name: NameText, below parent: String?) -> Int64? {
    guard parent != nil else { return nil }
    return EpisodePlace.week(in: name, at: 0)?.value
  }
}
