/// A show of the library: a record of kind `show` or `favourite`. Its id is the slug that begins
/// the ids of its episodes.
///
///     var show = LibraryShow(slug: "meadow", title: nil)
///     show.take(LibraryShow(slug: "meadow", title: "The Meadow"), from: .feed)
package struct LibraryShow: FieldRecord, Equatable {
  /// The fields in the order in which they are written.
  package enum Field: String, RecordField {
    case title, tvmaze, page
    case ageRating = "age_rating"
    case by
    case earlierTitles = "earlier_titles"
    case summary, language, premiered, ended, network, genres
    case site, imdb, tvdb, picture, feed
    case keepNext = "keep_next"
    case meteredOK = "metered_ok"
    case added
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: LibraryShow { LibraryShow(slug: "", title: nil) }

  /// The first half of the ids of its episodes.
  package var slug: String
  /// The title, which its episodes have; nil if none was recorded.
  package var title: String?
  /// The sources of its fields.
  package var by = FieldOrigins()
  /// The titles that it had before, the newest last, `maxTitles` at most. Other programs and files
  /// still have them.
  package var earlierTitles: [String] = []
  /// The description of the content.
  package var summary: String?
  /// The main language as a BCP 47 tag.
  package var language: String?
  /// The day of the first episode.
  package var premiered: CalendarDay?
  /// Whether no more episodes will appear; nil if unknown.
  package var hasEnded: Bool?
  /// The network, or the author of a podcast.
  package var network: String?
  /// The genres, the most important first.
  package var genres: [String] = []
  /// The age rating for its episodes without a rating of their own.
  package var ageRating: AgeRating?
  /// The page of the show in the catalogue, for the attribution.
  package var page: String?
  /// The site of the show.
  package var site: String?
  /// The id at TVMaze, which ties the slug to that show.
  package var tvmaze: Int64?
  /// The id at IMDb.
  package var imdb: String?
  /// The id at TheTVDB.
  package var tvdb: Int64?
  /// The address of its picture.
  package var picture: ShowPicture?
  /// The id of the feed that describes it: the first of its feeds, so that several do not overwrite
  /// each other in turn.
  package var feed: String?
  /// The number of unwatched episodes to keep in the library, while watched ones are removed; nil
  /// for no such rule.
  package var keepNext: Int64?
  /// Whether its episodes may be fetched over a metered network.
  package var isMeteredOK = false
  /// The time at which it became a favourite.
  package var added: Timestamp?
  package var extra = JSONObject()

  /// The maximum number of earlier titles.
  static let maxTitles = 16

  /// Creates a show with only a slug and a title.
  package init(slug: String, title: String?) {
    self.slug = slug
    self.title = title
  }

  /// Creates the show that a catalogue describes.
  package init(_ show: CatalogueShow, slug: Slug) {
    self.init(slug: slug.description, title: show.title)
    tvmaze = show.id
    page = show.page
    summary = show.summary
    language = show.language
    premiered = show.premiered
    hasEnded = show.status.map { $0 == "Ended" }
    network = show.network ?? show.webChannel
    genres = show.genres
    site = show.site
    imdb = show.imdb
    tvdb = show.tvdb
    picture = (show.image?.original ?? show.image?.medium).map {
      ShowPicture(url: $0, isForeign: true)
    }
  }

  /// Decodes the fields of a record or of an input row.
  ///
  /// - Parameter code: the code of a malformed field: `store-damaged` in the store, else
  ///   `bad-line`.
  /// - Throws: an error of that code.
  package init(
    _ fields: JSONObject, slug: String, code: ErrorCode = .storeDamaged
  ) throws(Failure) {
    let context = RecordContext(subject: slug, code: code)
    self =
      try LibraryShow.decode(.object(fields) as JSONValue, in: context)
      ?? LibraryShow(slug: slug, title: nil)
    self.slug = slug
  }

  /// Whether a line of the store is a valid record of a show.
  package static func isDecodable(_ line: some JSONSource) -> Bool {
    do throws(Failure) {
      return try decode(line, in: RecordContext(subject: "")) != nil
    } catch {
      return false
    }
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .title: try coder.field(&title)
    case .by: try coder.field(&by, omitting: FieldOrigins())
    case .earlierTitles: try coder.field(&earlierTitles, omitting: [])
    case .summary: try coder.field(&summary)
    case .language: try coder.field(&language, .languageTag)
    case .premiered: try coder.field(&premiered)
    case .ended: try coder.field(&hasEnded)
    case .network: try coder.field(&network)
    case .genres: try coder.field(&genres, omitting: [])
    case .ageRating: try coder.field(&ageRating)
    case .page: try coder.field(&page)
    case .site: try coder.field(&site)
    case .tvmaze: try coder.field(&tvmaze, .natural)
    case .imdb: try coder.field(&imdb)
    case .tvdb: try coder.field(&tvdb, .natural)
    case .picture: try coder.field(&picture)
    case .feed: try coder.field(&feed)
    case .keepNext: try coder.field(&keepNext, .natural)
    case .meteredOK: try coder.field(&isMeteredOK, omitting: false)
    case .added: try coder.field(&added)
    }
  }
}
