/// What stands in the store for an episode. The first four keys of a line (kind, id, seq, at) are
/// the store's own; everything after them is here.
extension Episode {
  /// Reads a record; fields that are not ours are kept in `extra`.
  ///
  /// - Parameter rev: the line's `seq`.
  /// - Throws: `store-damaged` if a field has a type or value it cannot have.
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
    // What is no id can be the id of nothing, so nothing is waited for.
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

  /// The record, without the keys that the store puts before it.
  package var record: JSONObject {
    var object = JSONObject()
    object.append("identity", .array(identity.map { .string($0.key) }))
    object.append("title", title)
    object.append("show_title", showTitle)
    object.append("season", season.map { .integer($0) })
    object.append("number", number.map { .integer($0) })
    object.append("date", date?.description)
    object.append("summary", summary)
    object.append("want", want.rawValue)
    object.append("priority", priority == 0 ? nil : .integer(priority))
    object.append("place", place.map { .integer($0) })
    object.append("after", after.isEmpty ? nil : .array(after.map { .string($0.description) }))
    object.append("keep", isKept ? true : nil)
    object.append("watched", isWatched ? true : nil)
    object.append("metered_ok", isMeteredOK ? true : nil)
    object.append("expires", expires?.text)
    object.append("added", added.text)
    object.append("parts", .array(parts.map { .object($0.record) }))
    object.append("trail", trail.isEmpty ? nil : .array(trail.map { .object($0.record) }))
    for field in extra.fields { object.append(field.key, field.value) }
    return object
  }

  private static let known: Set<String> = [
    "kind", "id", "seq", "at", "txn", "commit", "deleted", "identity", "title", "show_title",
    "season", "number", "date", "summary", "want", "priority", "place", "after", "keep", "watched",
    "metered_ok", "expires", "added", "parts", "trail",
  ]
}

extension Transition {
  /// Reads a step as it stands in the store.
  ///
  /// - Throws: `store-damaged` if a field has a type or value it cannot have.
  package init(record object: JSONObject, of id: EpisodeID) throws(Failure) {
    let fields = FieldReader(object, of: id.description)
    self.init(
      at: try fields.timestamp("at") ?? Timestamp(seconds: 0),
      part: try fields.string("part") ?? "", from: try fields.value("from") ?? .new,
      to: try fields.value("to") ?? .new, code: try fields.string("code").flatMap(ErrorCode.init))
  }

  /// The step as it stands in the store and in JSON output.
  package var record: JSONObject {
    var object = JSONObject()
    object.append("at", at.text)
    object.append("part", part)
    object.append("from", from.rawValue)
    object.append("to", to.rawValue)
    object.append("code", code?.rawValue)
    return object
  }
}
