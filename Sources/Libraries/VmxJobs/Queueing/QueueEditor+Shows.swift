import VmxModel
import VmxStore

extension QueueEditor {
  /// Lets all episodes of a show, those to come too, use a metered network, or no longer.
  ///
  /// - Parameters:
  ///   - show: its slug.
  ///   - isRehearsal: whether only to tell what would be done.
  /// - Returns: whether anything had to be changed; durable.
  /// - Throws: what the store throws.
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
