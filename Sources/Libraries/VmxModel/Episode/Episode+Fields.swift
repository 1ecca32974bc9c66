/// The keys that the store writes at the start of each line.
package enum LineField: String, CaseIterable, Sendable {
  case kind, id, seq, at, txn, commit, deleted
}

/// The fields of an episode in the store.
///
/// A new field is a property, a case of `Field` and a line of `code`.
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
    case feed, guid, folder, want, priority, place, after, keep, watched
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
    case .season: try coder.field(&season)
    case .number: try coder.field(&number)
    case .date: try coder.field(&date)
    case .duration: try coder.field(&duration, .duration)
    case .language: try coder.field(&language, .languageTag)
    case .summary: try coder.field(&summary)
    case .rating: try coder.field(&rating)
    case .ageRating: try coder.field(&ageRating)
    case .chapters: try coder.field(&chapters, omitting: [])
    case .chaptersURL: try coder.field(&chaptersURL)
    case .pageURL: try coder.field(&pageURL)
    case .feed: try coder.field(&feed)
    case .guid: try coder.field(&guid)
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
    case .expires: try coder.field(&expires)
    case .licence: try coder.field(&licence)
    case .added: try coder.field(&added, absent: Timestamp(seconds: 0))
    case .removal: try coder.field(&removal)
    case .parts: try coder.field(&parts, absent: [])
    case .trail: try coder.field(&trail, omitting: [])
    }
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
