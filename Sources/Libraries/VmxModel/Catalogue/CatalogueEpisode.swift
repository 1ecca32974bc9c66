/// An episode as a catalogue describes it. Texts are plain; unknown fields are nil.
package struct CatalogueEpisode: Sendable, Equatable {
  /// The id of the episode in the catalogue.
  package let id: Int64
  /// The title.
  package let title: String
  /// The page of the episode in the catalogue.
  package var page: String?
  /// The season; a year for some daily shows.
  package var season: Int64?
  /// The number within the season; nil for a special.
  package var number: Int64?
  /// The kind, such as `regular` or `significant_special`.
  package var type: String?
  /// The moment of the first showing.
  package var airs: Timestamp?
  /// The day of the first showing: that of `airs` in UTC, else the broadcaster's.
  package var date: CalendarDay?
  /// The playing time in milliseconds.
  package var duration: Int64?
  /// The average rating of viewers.
  package var rating: Rating?
  /// The addresses of the picture.
  package var image: CatalogueImage?
  /// The description.
  package var summary: String?
  /// The show, where the answer has it.
  package var show: CatalogueShow?
  /// The id of the show in the catalogue, where the answer only links to it.
  package var showID: Int64?

  /// Creates an episode of which nothing else is known.
  package init(id: Int64, title: String) {
    self.id = id
    self.title = title
  }

  /// Whether it has no number of its own.
  package var isSpecial: Bool { number == nil }

  /// The season under which it is listed; specials are in none.
  package var group: Int64? { isSpecial ? nil : season ?? 1 }

  /// The id that the episode gets in a library.
  package func episodeID(show: Slug) -> EpisodeID {
    if let number {
      return EpisodeID(show: show, episode: .episode(season: season ?? 1, number: number))
    }
    return EpisodeID(
      show: show, episode: Slug(transliterating: title, fallback: "tvmaze \(id)"))
  }
}
