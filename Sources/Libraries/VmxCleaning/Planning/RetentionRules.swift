package import VmxModel

/// Which episodes are not to stay; all that is asked for must hold together.
package struct RetentionRules: Sendable, Equatable {
  /// Of each show so many of the newest stay; nil for no such rule.
  package var keepLast: Int?
  /// What came here so long ago goes, in milliseconds; nil for no such rule.
  package var olderThan: Int64?
  /// So many bytes are to be free on the disk of each root; nil for no such rule.
  package var free: ByteCount?
  /// Whether what is marked to be kept stays, whatever the rules say.
  package var sparesKept = true
  /// Whether favourite shows stay, whatever the rules say.
  package var sparesFavourites = true
  /// Among which episodes is chosen.
  package var query = EpisodeQuery()

  /// No rules: nothing goes.
  package init() {}

  /// Whether anything may go at all. That something was watched is a rule, and a filter too.
  package var isEmpty: Bool {
    keepLast == nil && olderThan == nil && free == nil && query.isWatched != true
  }

  /// Why an episode goes.
  func why(_ candidate: Candidate, now: Timestamp) -> String {
    var reasons: [String] = []
    if candidate.isWatched { reasons.append("watched") }
    if let olderThan { reasons.append("here for more than \(DurationText.text(of: olderThan))") }
    if let keepLast { reasons.append("not among the newest \(keepLast) of its show") }
    if let free { reasons.append("\(free.forPeople) are to be free") }
    return reasons.joined(separator: ", ")
  }
}

/// An episode that may go, in as little memory as choosing among a million needs.
struct Candidate: Sendable {
  /// Its place among those that were looked at.
  let place: Int
  /// `StableHash` of its show.
  let show: UInt64
  let rev: Int64
  let bytes: Int64
  /// Day of first showing as a number that sorts; nil where it is not known.
  let day: Int64?
  /// Season and number as a number that sorts; nil where they are not known.
  let number: Int64?
  /// Milliseconds since 1970 when it came here.
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
