/// The failure of a feed since its last successful check.
package struct FeedFailing: Sendable, Equatable {
  /// The time of the first failed check.
  package var since: Timestamp
  /// The code of the last failure.
  package var code: String
  /// The number of failed checks.
  package var attempts: Int64 = 0
  /// The time at which the failure was last printed.
  package var reported: Timestamp?
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()

  /// The minimum time between two messages about the same failing feed, one week in milliseconds.
  private static let quietTime: Int64 = 7 * 86_400_000

  /// Creates the state before the first failed check.
  package init(since: Timestamp) {
    self.since = since
    code = ""
  }

  /// Counts a failed check.
  ///
  /// - Returns: whether to print it: the first one, and then one a week.
  package mutating func count(_ code: ErrorCode, at now: Timestamp) -> Bool {
    self.code = code.rawValue
    attempts += 1
    // A message in the future comes from a wrong clock.
    if let reported, reported <= now, reported.adding(milliseconds: Self.quietTime) > now {
      return false
    }
    reported = now
    return true
  }
}

extension FeedFailing: FieldRecord {
  /// The fields in the store, in the order in which they are written.
  package enum Field: String, RecordField {
    case since, code, attempts, reported
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: FeedFailing { FeedFailing(since: Timestamp(milliseconds: 0)) }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .since: try coder.field(&since, absent: Timestamp(milliseconds: 0))
    case .code: try coder.field(&code, absent: "")
    case .attempts: try coder.field(&attempts, absent: 0)
    case .reported: try coder.field(&reported)
    }
  }
}

extension ErrorCode {
  /// Whether the failure is a condition of this machine or this run, and not of the feed.
  package var isLocal: Bool {
    switch self {
    case .interrupted, .lockBusy, .offline, .networkMetered, .capReached, .outsideWindow,
      .secretLocked:
      true
    default: false
    }
  }
}
