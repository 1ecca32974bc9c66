import VmxModel
import VmxStore

extension QueueEditor {
  /// Returns the slugs of the shows that have this slug or whole title.
  ///
  /// - Throws: errors of the store.
  package func slugs(of name: String) throws -> [String] {
    var query = EpisodeQuery()
    query.shows = [name]
    var slugs: Set<String> = []
    try store.snapshot().episodes(matching: query) { episode in
      slugs.insert(episode.id.show)
      return true
    }
    return slugs.sorted()
  }

  /// Allows or forbids a metered network for all episodes of a show, future ones included.
  ///
  /// - Parameters:
  ///   - show: its slug.
  ///   - isDryRun: whether only to report the effect.
  /// - Returns: whether anything had to be changed; durable.
  /// - Throws: errors of the store.
  package func mark(
    show: String, meteredOK isSet: Bool, isDryRun: Bool = false
  ) throws -> Bool {
    let key = "metered_ok"
    let before = try store.snapshot().record(.show, show)
    if (before?.fields[key]?.bool ?? false) == isSet { return false }
    if isDryRun { return true }
    try store.update(.durable, room: .useReserve) { transaction in
      var fields = transaction.record(.show, show)?.fields.without([key]) ?? JSONObject()
      if isSet { fields.append(key, true) }
      transaction.put(StoredRecord(kind: .show, id: show, fields: fields))
    }
    return true
  }
}
