/// The position of an episode in the order in which the episodes of a show are watched: by season
/// and number, else by date, else in the order of adding. Specials are last.
package struct ShowOrder: Comparable, Sendable {
  private let season: Int64
  private let number: Int64
  private let date: String
  private let added: Timestamp

  /// Creates the position of an episode.
  package init(_ episode: Episode) {
    let season = episode.season ?? .max - 1
    self.season = season == 0 ? .max : season
    number = episode.number ?? .max
    date = episode.date?.description ?? ""
    added = episode.added
  }

  package static func < (left: ShowOrder, right: ShowOrder) -> Bool {
    (left.season, left.number, left.date, left.added)
      < (right.season, right.number, right.date, right.added)
  }
}
