/// The keys that the store writes at the start of each line.
package enum LineField: String, CaseIterable, Sendable {
  case kind, id, seq, at, txn, commit, deleted
}

/// The fields of an episode in the store.
///
/// A new field is a property, a case of `Field` and a line of `code`; one that a description can
/// set is a property of `EpisodeText`.
extension Episode: FieldRecord {
  /// The fields in the order in which they are written, after those of the line.
  package enum Field: String, RecordField {
    case identity, by, title
    case showTitle = "show_title"
    case season, number, date
    case duration = "duration_ms"
    case language, summary, rating
    case ageRating = "age_rating"
    case chapters
    case chaptersURL = "chapters_url"
    case pageURL = "page_url"
    case tvmaze, feed, guid, folder, want, priority, place, after, keep, watched
    case watchedAt = "watched_at"
    case requestedAgainAt = "requested_again_at"
    case meteredOK = "metered_ok"
    case expires, licence, added, removal, parts, trail
  }

  package static let fields = FieldSet<Field>(
    Field.allCases, skipping: LineField.allCases.map(\.rawValue))

  package static var blank: Episode {
    Episode(
      id: .unknown, title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [])
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .identity: try coder.field(&identity, absent: [])
    case .by: try coder.field(&by, omitting: FieldOrigins())
    case .title: try coder.field(&title, absent: id.episode)
    case .showTitle: try coder.field(&showTitle, absent: id.show)
    case .season: try coder.field(&text.season)
    case .number: try coder.field(&text.number)
    case .date: try coder.field(&text.date)
    case .duration: try coder.field(&text.duration, .duration)
    case .language: try coder.field(&text.language, .languageTag)
    case .summary: try coder.field(&text.summary)
    case .rating: try coder.field(&text.rating)
    case .ageRating: try coder.field(&text.ageRating)
    case .chapters: try coder.field(&text.chapters, omitting: [])
    case .chaptersURL: try coder.field(&text.chaptersURL)
    case .pageURL: try coder.field(&text.pageURL)
    case .tvmaze: try coder.field(&text.tvmaze, .natural)
    case .feed: try coder.field(&text.feed)
    case .guid: try coder.field(&text.guid)
    case .folder: try coder.field(&folder, .mediaFolder)
    case .want: try coder.field(&want, absent: .fetch)
    case .priority: try coder.field(&priority, omitting: 0)
    case .place: try coder.field(&place)
    case .after:
      // An invalid id identifies no episode. It is dropped, so that the episode does not wait for
      // it.
      var ids = after.map(\.description)
      try coder.field(&ids, omitting: [])
      after = ids.compactMap { EpisodeID(valid: $0) }
    case .keep: try coder.field(&isKept, omitting: false)
    case .watched: try coder.field(&isWatched, omitting: false)
    case .watchedAt: try coder.field(&watchedAt)
    case .requestedAgainAt: try coder.field(&requestedAgainAt)
    case .meteredOK: try coder.field(&isMeteredOK, omitting: false)
    case .expires: try coder.field(&text.expires)
    case .licence: try coder.field(&licence)
    case .added: try coder.field(&added, absent: Timestamp(seconds: 0))
    case .removal: try coder.field(&removal)
    case .parts: try coder.field(&parts, absent: [])
    case .trail: try coder.field(&trail, omitting: [])
    }
  }
}

/// The fields that a record of an episode (`Episode`) and a description of one
/// (`EpisodeDescription`) have in common.
///
/// A new field is a property, one of `Episode`, a line of `read` and one of `descriptive`, besides
/// the lines of the record.
package struct EpisodeText: Sendable, Equatable {
  /// The season; 0 for specials.
  package var season: Int64?
  /// The number within the season.
  package var number: Int64?
  /// The day of first showing.
  package var date: CalendarDay?
  /// The playing time in milliseconds; never 0.
  package var duration: Int64?
  /// The main language as a BCP 47 tag.
  package var language: String?
  /// The description of the content.
  package var summary: String?
  /// The average rating of viewers.
  package var rating: Rating?
  /// The age rating; nil where only its show may have one.
  package var ageRating: AgeRating?
  /// The chapters in their order, `Chapter.maxCount` at most.
  package var chapters: [Chapter] = []
  /// The address of a document with the chapters (podcast namespace).
  package var chaptersURL: String?
  /// The URL of the page on which another program found its sources; nil for none.
  package var pageURL: String?
  /// Its id at TVMaze.
  package var tvmaze: Int64?
  /// The id of its feed; nil for an episode of no feed.
  package var feed: String?
  /// Its guid in that feed, by which other programs identify it; nil if the feed has none.
  package var guid: String?
  /// The time after which it may no longer be watched.
  package var expires: Timestamp?

  /// Creates a text without any field.
  package init() {}

  /// Reads the fields that a row of `vmx add` may have, in canonical spelling.
  ///
  /// - Throws: `bad-line` naming the field that is wrong, `bad-url`, `source-unsupported`.
  mutating func read(_ fields: FieldReader) throws(Failure) {
    func url(_ key: String) throws(Failure) -> String? {
      try fields.text(key).map { text throws(Failure) in try WebURL(text).text }
    }
    season = try fields.natural("season")
    number = try fields.natural("number")
    date = try fields.value("date")
    duration = try fields.duration("duration_ms")
    language = try fields.language("language")
    summary = try fields.text("summary")
    rating = try fields.value("rating")
    ageRating = try fields.value("age_rating")
    chapters = Array(try (fields.value("chapters") ?? []).prefix(Chapter.maxCount))
    chaptersURL = try url("chapters_url")
    pageURL = try url("page_url")
    tvmaze = try fields.natural("tvmaze").flatMap { $0 > 0 ? $0 : nil }
    expires = try fields.timestamp("expires")
  }

  /// The fields that an import sets to the described value.
  static let descriptive: [DescriptiveField] = [
    // A described season belongs to the described number, not to one that is known.
    DescriptiveField(.season, \.season, fillsOnlyIf: { $0.number == nil }),
    DescriptiveField(.number, \.number),
    DescriptiveField(.date, \.date),
    DescriptiveField(.duration, \.duration),
    DescriptiveField(.language, \.language),
    DescriptiveField(.summary, \.summary),
    DescriptiveField(.rating, \.rating),
    DescriptiveField(.ageRating, \.ageRating),
    DescriptiveField(.chaptersURL, \.chaptersURL),
    DescriptiveField(.pageURL, \.pageURL),
    DescriptiveField(.tvmaze, \.tvmaze),
    // Neither a description nor an undo grants a right that the licence does not grant.
    DescriptiveField(.expires, \.expires, changesOnlyIf: { $0.licence == nil }),
  ]
}

/// The fields of `text`. A description looks them up by key path (`dynamicMember`), which costs
/// 0.1 µs in other libraries: too much for each field of a row of a listing.
extension Episode {
  /// `EpisodeText.season`.
  package var season: Int64? {
    get { text.season }
    set { text.season = newValue }
  }
  /// `EpisodeText.number`.
  package var number: Int64? {
    get { text.number }
    set { text.number = newValue }
  }
  /// `EpisodeText.date`.
  package var date: CalendarDay? {
    get { text.date }
    set { text.date = newValue }
  }
  /// `EpisodeText.duration`.
  package var duration: Int64? {
    get { text.duration }
    set { text.duration = newValue }
  }
  /// `EpisodeText.language`.
  package var language: String? {
    get { text.language }
    set { text.language = newValue }
  }
  /// `EpisodeText.summary`.
  package var summary: String? {
    get { text.summary }
    set { text.summary = newValue }
  }
  /// `EpisodeText.rating`.
  package var rating: Rating? {
    get { text.rating }
    set { text.rating = newValue }
  }
  /// `EpisodeText.ageRating`.
  package var ageRating: AgeRating? {
    get { text.ageRating }
    set { text.ageRating = newValue }
  }
  /// `EpisodeText.chapters`.
  package var chapters: [Chapter] {
    get { text.chapters }
    set { text.chapters = newValue }
  }
  /// `EpisodeText.chaptersURL`.
  package var chaptersURL: String? {
    get { text.chaptersURL }
    set { text.chaptersURL = newValue }
  }
  /// `EpisodeText.pageURL`.
  package var pageURL: String? {
    get { text.pageURL }
    set { text.pageURL = newValue }
  }
  /// `EpisodeText.tvmaze`.
  package var tvmaze: Int64? {
    get { text.tvmaze }
    set { text.tvmaze = newValue }
  }
  /// `EpisodeText.feed`.
  package var feed: String? {
    get { text.feed }
    set { text.feed = newValue }
  }
  /// `EpisodeText.guid`.
  package var guid: String? {
    get { text.guid }
    set { text.guid = newValue }
  }
  /// `EpisodeText.expires`.
  package var expires: Timestamp? {
    get { text.expires }
    set { text.expires = newValue }
  }
}

/// The fields of an episode and of its parts that a reader needs; other fields are not decoded.
package struct EpisodeFields: Sendable {
  let episode: FieldSet<Episode.Field>
  let parts: FieldSet<Part.Field>

  /// All fields.
  package static let all = EpisodeFields(Episode.fields, Part.fields)

  private init(_ episode: FieldSet<Episode.Field>, _ parts: FieldSet<Part.Field>) {
    self.episode = episode
    self.parts = parts
  }

  /// Creates a set of fields.
  package init(_ episode: Set<Episode.Field>, parts: Set<Part.Field> = []) {
    self.init(FieldSet(episode), FieldSet(parts))
  }

  /// Returns the fields of both sets.
  package func union(_ other: EpisodeFields) -> EpisodeFields {
    EpisodeFields(
      Set(episode.fields + other.episode.fields), parts: Set(parts.fields + other.parts.fields))
  }
}

extension Episode {
  /// Decodes a record; unknown fields are kept in `extra`.
  ///
  /// - Parameter rev: the line's `seq`.
  /// - Throws: `store-damaged` if a field has an invalid type or value.
  package init(record object: JSONObject, id: EpisodeID, rev: Int64) throws(Failure) {
    self.init(id: id, rev: rev)
    try decode(.object(object) as JSONValue, Self.fields, in: Self.context(of: id))
  }

  /// Decodes the given fields of a line of the store. A partly decoded episode must not be stored.
  ///
  /// - Parameter rev: the line's `seq`.
  /// - Throws: `store-damaged` if one of these fields has an invalid type or value.
  package init(
    line: JSONTape, id: EpisodeID, rev: Int64, _ fields: EpisodeFields = .all
  ) throws(Failure) {
    self.init(id: id, rev: rev)
    var context = Self.context(of: id)
    context.partFields = fields.parts
    try decode(line, fields.episode, in: context)
  }

  private init(id: EpisodeID, rev: Int64) {
    self = Self.blank
    self.id = id
    self.rev = rev
  }

  private static func context(of id: EpisodeID) -> RecordContext {
    RecordContext(subject: id.description)
  }

  /// Appends the fields of the record as JSON text, each preceded by a comma.
  package func appendRecord(to bytes: inout [UInt8]) { appendFields(to: &bytes, isFirst: false) }
}

extension Transition: FieldRecord {
  /// The fields of a transition.
  package enum Field: String, RecordField { case at, part, from, to, code }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Transition {
    Transition(at: Timestamp(seconds: 0), part: "", from: .new, to: .new)
  }
  /// Always empty: unknown fields are dropped, because the trail is only a history.
  package var extra: JSONObject {
    get { JSONObject() }
    set {}
  }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .at: try coder.field(&at, absent: Timestamp(seconds: 0))
    case .part: try coder.field(&part, absent: "")
    case .from: try coder.field(&from, absent: .new)
    case .to: try coder.field(&to, absent: .new)
    case .code:
      var name = code?.rawValue
      try coder.field(&name)
      code = name.flatMap(ErrorCode.init)
    }
  }
}
