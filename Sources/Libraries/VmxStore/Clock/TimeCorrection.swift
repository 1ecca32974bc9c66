import VmxModel

// Times that a wrong clock wrote are in the lines and in the fields of records. Only fields whose
// time is past when it is written are corrected: an expiry or a day of broadcasting may lie in the
// future. A correction keeps the sequence number of each line, so that undo still finds what a run
// recorded.

/// Replaces the times that a wrong clock has written by a trusted one.
struct TimeCorrection: Equatable {
  /// The trusted time that replaces a wrong one.
  let now: Timestamp
  /// The time before which no line can have been written; nil if all lines may be old.
  var earliest: Timestamp?

  /// The keys of times that are past when they are written, of all kinds of records.
  private static let pastKeys: Set<String> = [
    "added", "at", "begun", "changed", "checked", "happened", "looked_back", "lost_at",
    "newest",
    "position_at", "proven", "reported", "requested_again_at", "set", "since", "synced", "verified",
    "watched_at", "when",
  ]
  /// The keys of times until which something waits; they are wrong in a line written ahead.
  private static let waitKeys: Set<String> = ["until"]
  /// The kinds whose times come from a provider.
  private static let foreignKinds: Set<RecordKind> = [.licence, .header]

  /// Returns the time of a line, corrected.
  func corrected(line time: Timestamp) -> Timestamp { isPossible(line: time) ? time : now }

  /// Whether a line can have been written at a time.
  func isPossible(line time: Timestamp) -> Bool {
    time <= now && earliest.map { $0 <= time } ?? true
  }

  /// Returns the fields of a record, corrected.
  ///
  /// - Parameter time: the time of its line, as it was written.
  func corrected(_ fields: JSONObject, of kind: RecordKind, line time: Timestamp) -> JSONObject {
    guard !Self.foreignKinds.contains(kind) else { return fields }
    return corrected(fields, isAhead: time > now)
  }

  private func corrected(_ object: JSONObject, isAhead: Bool) -> JSONObject {
    var object = object
    for (key, value) in object.fields {
      let other = corrected(value, key, isAhead: isAhead)
      if other != value { object[key] = other }
    }
    return object
  }

  private func corrected(_ value: JSONValue, _ key: String, isAhead: Bool) -> JSONValue {
    switch value {
    case .object(let object): return .object(corrected(object, isAhead: isAhead))
    case .array(let values):
      return .array(values.map { corrected($0, key, isAhead: isAhead) })
    case .string(let text):
      let isPast = Self.pastKeys.contains(key)
      guard isPast || isAhead && Self.waitKeys.contains(key), let time = Timestamp(text) else {
        return value
      }
      let isEarly = isPast && earliest != nil && !TrustedClock.isSet(time)
      return time > now || isEarly ? .string(now.text) : value
    default: return value
    }
  }
}
