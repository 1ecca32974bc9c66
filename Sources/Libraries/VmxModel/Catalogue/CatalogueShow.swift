/// The catalogue that describes shows, for the attribution that its licence (CC BY-SA) requires.
package enum CatalogueSource {
  /// The name of the catalogue in its own spelling.
  package static let name = "TVmaze"
  /// The address of the catalogue.
  package static let address = "https://www.tvmaze.com"
}

/// A show as a catalogue describes it. Texts are plain; unknown fields are nil.
package struct CatalogueShow: Sendable, Equatable {
  /// The id of the show in the catalogue.
  package let id: Int64
  /// The title.
  package let title: String
  /// The page of the show in the catalogue, to which the attribution links.
  package var page: String?
  /// The kind of show, such as `Scripted` or `Documentary`.
  package var type: String?
  /// The main language as a BCP 47 tag.
  package var language: String?
  /// The genres, the most important first.
  package var genres: [String] = []
  /// The running status in the words of the catalogue: `Running`, `Ended`.
  package var status: String?
  /// The day of the first episode.
  package var premiered: CalendarDay?
  /// The day of the last episode.
  package var ended: CalendarDay?
  /// The usual playing time in milliseconds.
  package var duration: Int64?
  /// The network or web channel.
  package var network: String?
  /// The web channel, which may show the episodes beside a network.
  package var webChannel: String?
  /// The days and the local time of new episodes: `Sunday 22:00`.
  package var schedule: String?
  /// The country of the network as an ISO 3166 code.
  package var country: String?
  /// The average rating of viewers.
  package var rating: Rating?
  /// The site of the show.
  package var site: String?
  /// The id at IMDb.
  package var imdb: String?
  /// The id at TheTVDB.
  package var tvdb: Int64?
  /// The id at TVRage, which has closed.
  package var tvrage: Int64?
  /// The addresses of the poster.
  package var image: CatalogueImage?
  /// The description.
  package var summary: String?
  /// The time of the last change in the catalogue.
  package var updated: Timestamp?

  /// Creates a show with only its id and title.
  package init(id: Int64, title: String) {
    self.id = id
    self.title = title
  }

  /// The first half of the ids of its episodes, unless another show of the library has this slug.
  package var slug: Slug { Slug(transliterating: title, fallback: "tvmaze \(id)") }

  /// The slug with the year, for a show whose slug another show already has.
  package var distinctSlug: Slug {
    let mark = premiered.map { "\($0.description.prefix(4))" } ?? "\(id)"
    return Slug(transliterating: "\(title) \(mark)", fallback: "tvmaze \(id)")
  }
}

/// The addresses of a picture in the catalogue. A changed picture gets a new address.
package struct CatalogueImage: Sendable, Equatable {
  /// The picture as it was uploaded.
  package let original: String?
  /// A small version.
  package let medium: String?

  /// Creates the addresses; nil if both are missing.
  package init?(original: String?, medium: String?) {
    guard original ?? medium != nil else { return nil }
    self.original = original
    self.medium = medium
  }

  /// The best version.
  package var best: String? { original ?? medium }
}
