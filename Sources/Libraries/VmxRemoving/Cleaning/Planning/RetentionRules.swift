package import VmxModel

/// The rules that select episodes to remove; an episode must match all of them.
package struct RetentionRules: Sendable, Equatable {
  /// The number of newest episodes of each show that stay; nil for no such rule.
  package var keepLast: Int?
  /// The age from which an episode is removed, in milliseconds since its arrival; nil for no such
  /// rule.
  package var olderThan: Int64?
  /// The number of bytes to be free on the disk of each root; nil for no such rule.
  package var free: ByteCount?
  /// Whether episodes marked to be kept stay, whatever the other rules select.
  package var sparesKept = true
  /// Whether favourite shows stay, whatever the other rules select.
  package var sparesFavourites = true
  /// The query that restricts the candidates.
  package var query = EpisodeQuery()

  /// No rules: no episode is removed.
  package init() {}

  /// Whether no rule selects an episode. `isWatched` is both a rule and a filter.
  package var isEmpty: Bool {
    keepLast == nil && olderThan == nil && free == nil && query.isWatched != true
  }

  /// Returns the reason for removing an episode.
  func why(_ candidate: Candidate, now: Timestamp) -> String {
    var reasons: [String] = []
    if candidate.isWatched { reasons.append("watched") }
    if let olderThan { reasons.append("here for more than \(DurationText.text(of: olderThan))") }
    if let keepLast { reasons.append("not among the newest \(keepLast) of its show") }
    if let free { reasons.append("\(free.forPeople) are to be free") }
    return reasons.joined(separator: ", ")
  }
}

/// An episode that may be removed, small enough to choose among a million.
struct Candidate: Sendable {
  /// Its index among the inspected episodes.
  let place: Int
  /// The `StableHash` of its show.
  let show: UInt64
  let rev: Int64
  let bytes: Int64
  /// The day of its first showing as a sortable number; nil if unknown.
  let day: Int64?
  /// The season and number as one sortable number; nil if unknown.
  let number: Int64?
  /// The time of its arrival, in milliseconds since 1970.
  let since: Int64
  let isWatched: Bool
  let isSpared: Bool

  init(_ episode: Episode, place: Int, bytes: Int64, isSpared: Bool) {
    self.place = place
    self.bytes = bytes
    self.isSpared = isSpared
    show = StableHash.of(episode.id.show)
    rev = episode.rev
    day = episode.date.flatMap { Int64($0.description.filter(\.isNumber)) }
    number = episode.season.flatMap { season in
      episode.number.map { min(season, 1 << 20) << 32 + min($0, 1 << 31) }
    }
    let arrival = episode.trail.last { $0.to == .ready }?.at ?? episode.added
    since = arrival.milliseconds
    isWatched = episode.isWatched
  }
}
