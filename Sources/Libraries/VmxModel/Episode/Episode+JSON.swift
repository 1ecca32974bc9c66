/// The JSON form of an episode in the store. The first four keys of a line (kind, id, seq, at)
/// belong to the store; this file defines all keys after them.
extension Episode {
  /// Decodes a record; unknown fields are kept in `extra`.
  ///
  /// - Parameter rev: the line's `seq`.
  /// - Throws: `store-damaged` if a field has an invalid type or value.
  package init(record object: JSONObject, id: EpisodeID, rev: Int64) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    self.init(
      id: id, title: try fields.string("title") ?? id.episode,
      showTitle: try fields.string("show_title") ?? id.show,
      added: try fields.timestamp("added") ?? Timestamp(seconds: 0), parts: [])
    self.rev = rev
    identity = try fields.strings("identity").map { .key($0) }
    season = try fields.integer("season")
    number = try fields.integer("number")
    date = try fields.day("date")
    summary = try fields.string("summary")
    want = try fields.value("want") ?? .fetch
    priority = try fields.integer("priority") ?? 0
    place = try fields.integer("place")
    // An invalid id names no episode, so it is dropped and the episode does not wait for it.
    after = try fields.strings("after").compactMap { EpisodeID(valid: $0) }
    isKept = try fields.bool("keep") ?? false
    isWatched = try fields.bool("watched") ?? false
    isMeteredOK = try fields.bool("metered_ok") ?? false
    expires = try fields.timestamp("expires")
    for part in try fields.objects("parts") { parts.append(try Part(record: part, of: id)) }
    for step in try fields.objects("trail") {
      trail.append(try Transition(record: step, of: id))
    }
    extra = object.without(Self.known)
  }

  /// The record, without the keys that the store writes before it.
  package var record: JSONObject { JSONObject(of: self) }

  /// Appends the fields of the record as JSON text, each preceded by a comma.
  package func appendRecord(to bytes: inout [UInt8]) {
    var writer = FieldWriter(behind: bytes)
    bytes = []
    write(to: &writer)
    bytes = writer.bytes
  }

  private static let known: Set<String> = [
    "kind", "id", "seq", "at", "txn", "commit", "deleted", "identity", "title", "show_title",
    "season", "number", "date", "summary", "want", "priority", "place", "after", "keep", "watched",
    "metered_ok", "expires", "added", "parts", "trail",
  ]
}

extension Episode: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("identity", texts: identity.map(\.key))
    sink.field("title", title)
    sink.field("show_title", showTitle)
    sink.field("season", number: season)
    sink.field("number", number: number)
    sink.field("date", date?.description)
    sink.field("summary", summary)
    sink.field("want", want.rawValue)
    sink.field("priority", number: priority == 0 ? nil : priority)
    sink.field("place", number: place)
    if !after.isEmpty { sink.field("after", texts: after.map(\.description)) }
    sink.field("keep", flag: isKept ? true : nil)
    sink.field("watched", flag: isWatched ? true : nil)
    sink.field("metered_ok", flag: isMeteredOK ? true : nil)
    sink.field("expires", expires?.text)
    sink.field("added", added.text)
    sink.field("parts", objects: parts)
    if !trail.isEmpty { sink.field("trail", objects: trail) }
    for field in extra.fields { sink.field(field) }
  }
}

extension Transition {
  /// Decodes a transition from its form in the store.
  ///
  /// - Throws: `store-damaged` if a field has an invalid type or value.
  package init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    self.init(
      at: try fields.timestamp("at") ?? Timestamp(seconds: 0),
      part: try fields.string("part") ?? "", from: try fields.value("from") ?? .new,
      to: try fields.value("to") ?? .new, code: try fields.string("code").flatMap(ErrorCode.init))
  }

  /// The JSON object of the transition in the store and in JSON output.
  package var record: JSONObject { JSONObject(of: self) }
}

extension Transition: FieldSource {
  func write(to sink: inout some FieldSink) {
    sink.field("at", at.text)
    sink.field("part", part)
    sink.field("from", from.rawValue)
    sink.field("to", to.rawValue)
    sink.field("code", code?.rawValue)
  }
}
