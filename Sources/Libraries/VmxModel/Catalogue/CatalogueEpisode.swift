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
  /// The time of the first showing.
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
  /// The show, if the response contains it.
  package var show: CatalogueShow?

  /// Creates an episode with only its id and title.
  package init(id: Int64, title: String) {
    self.id = id
    self.title = title
  }

  /// Whether the episode has no number within its season.
  package var isSpecial: Bool { number == nil }

  /// The season under which the episode is listed; nil for specials.
  package var group: Int64? { isSpecial ? nil : season ?? 1 }

  /// Returns the id of the episode in a library.
  package func episodeID(show: Slug) -> EpisodeID {
    if let number {
      return EpisodeID(show: show, episode: .episode(season: season ?? 1, number: number))
    }
    return EpisodeID(
      show: show, episode: Slug(transliterating: title, fallback: "tvmaze \(id)"))
  }
}
