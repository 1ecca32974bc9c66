package import VmxModel
package import VmxStore

/// Decides when the status of a licence is refreshed automatically: daily, and hourly during the
/// last day before its end. Each interval varies by up to 10 %, so that many licences do not query
/// a provider at the same time.
package struct LicenceRefreshSchedule: Sendable {
  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour
  /// The maximum number of licences of one host that are refreshed in a run.
  private static let maxPerHost = 100

  private let now: Timestamp

  /// Creates a schedule for a time.
  package init(now: Timestamp) { self.now = now }

  /// Returns whether the status of a licence is due for a refresh.
  package func isDue(_ record: LicenceRecord) -> Bool {
    guard record.statusURL != nil, ![.returned, .revoked].contains(record.state) else {
      return false
    }
    // A time in the future comes from a wrong clock and must not delay the next refresh.
    guard let seen = record.seen, seen <= now else { return true }
    return seen.adding(milliseconds: interval(of: record)) <= now
  }

  private func interval(of record: LicenceRecord) -> Int64 {
    let isEnding = record.local.end.map { end in
      end > now && end <= now.adding(milliseconds: Self.day)
    }
    let interval = isEnding == true ? Self.hour : Self.day
    let tenth = interval / 10
    let spread = Int64(StableHash.of(record.local.id) % UInt64(2 * tenth + 1))
    return interval - tenth + spread
  }

  /// Returns the episodes whose licences are due for a refresh, the least recently refreshed first.
  ///
  /// - Returns: the episodes, at most 100 of each host, and the number of episodes left for the
  ///   next run.
  package func due(in snapshot: StoreSnapshot) -> (ids: [EpisodeID], left: Int) {
    var due: [(id: EpisodeID, seen: Timestamp?, host: String)] = []
    snapshot.records(of: .licence) { record in
      guard let licence = LicenceRecord(record), isDue(licence), let url = licence.statusURL,
        let id = EpisodeID(valid: record.id)
      else { return true }
      due.append((id, licence.seen, WebURL(valid: url)?.host ?? ""))
      return true
    }
    due.sort { ($0.seen ?? Timestamp(seconds: 0)) < ($1.seen ?? Timestamp(seconds: 0)) }
    var counts: [String: Int] = [:]
    let ids = due.compactMap { entry -> EpisodeID? in
      counts[entry.host, default: 0] += 1
      return counts[entry.host, default: 0] <= Self.maxPerHost ? entry.id : nil
    }
    return (ids, due.count - ids.count)
  }
}
