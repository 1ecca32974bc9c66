/// A show of the library: a record of kind `show` or `favourite`. Its id is the slug that begins
/// the ids of its episodes.
package struct LibraryShow: FieldRecord, Equatable {
  /// The fields in the order in which they are written.
  package enum Field: String, RecordField {
    case title, tvmaze, page, added
    case ageRating = "age_rating"
    case keepNext = "keep_next"
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: LibraryShow { LibraryShow(slug: "", title: nil) }

  /// The first half of the ids of its episodes.
  package var slug: String
  /// The title; nil if none was recorded.
  package var title: String?
  /// The id at TVMaze, which ties the slug to that show.
  package var tvmaze: Int64?
  /// The page of the show in the catalogue, for the attribution.
  package var page: String?
  /// The time at which it became a favourite.
  package var added: Timestamp?
  /// The age rating for its episodes without a rating of their own.
  package var ageRating: AgeRating?
  /// The number of unwatched episodes to keep in the library, while watched ones are removed; nil
  /// for no such rule.
  package var keepNext: Int64?
  package var extra = JSONObject()

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

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .title: try coder.field(&title)
    case .tvmaze: try coder.field(&tvmaze, .natural)
    case .page: try coder.field(&page)
    case .added: try coder.field(&added)
    case .ageRating: try coder.field(&ageRating)
    case .keepNext: try coder.field(&keepNext, .natural)
    }
  }
}
