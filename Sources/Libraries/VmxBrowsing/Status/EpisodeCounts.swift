import VmxModel
import VmxPresentation
import VmxStore

/// How many episodes stand where; grows and shrinks with each change.
struct EpisodeCounts {
  private struct End {
    let reason: WaitReason?
    let until: Timestamp
  }

  /// By the hash of the id: a name would cost five times as much.
  private var standings: [Int: EpisodeStanding] = [:]
  private var groups: [EpisodeStanding.Group: Int] = [:]
  private var reasons: [WaitReason?: Int] = [:]
  /// When waiting ends, of those that wait until a time.
  private var ends: [Int: End] = [:]
  /// The first of them by reason; nil where it must be looked for.
  private var firstEnds: [WaitReason?: Timestamp]? = [:]

  /// How many there are in a group.
  subscript(group: EpisodeStanding.Group) -> Int { groups[group] ?? 0 }

  /// How many there are.
  var all: Int { groups.values.reduce(0, +) }

  /// How an episode stood when it was last counted; nil if it was not or is not remembered.
  func standing(of id: EpisodeID) -> EpisodeStanding? { standings[id.hashValue] }

  /// Counts an episode as it is now.
  ///
  /// - Parameter remembering: whether it may be counted again or asked for.
  mutating func count(_ episode: EpisodeSummary, remembering: Bool) {
    if !standings.isEmpty { forget(episode.id) }
    let standing = EpisodeStanding(episode)
    groups[standing.group, default: 0] += 1
    // Of a million ids that are not remembered, none need be hashed.
    guard remembering || standing.group == .waiting else { return }
    let key = episode.id.hashValue
    if remembering { standings[key] = standing }
    guard standing.group == .waiting else { return }
    reasons[standing.reason, default: 0] += 1
    guard let until = episode.until else { return }
    ends[key] = End(reason: standing.reason, until: until)
    let first = firstEnds?[standing.reason] ?? until
    firstEnds?[standing.reason] = min(first, until)
  }

  /// Counts an episode no longer.
  mutating func forget(_ id: EpisodeID) {
    let key = id.hashValue
    guard let standing = standings.removeValue(forKey: key) else { return }
    groups[standing.group, default: 0] -= 1
    guard standing.group == .waiting else { return }
    reasons[standing.reason, default: 0] -= 1
    guard let end = ends.removeValue(forKey: key) else { return }
    if firstEnds?[end.reason] == end.until { firstEnds = nil }
  }

  private var foundEnds: [WaitReason?: Timestamp] {
    ends.values.reduce(into: [:]) { first, end in
      first[end.reason] = min(first[end.reason] ?? end.until, end.until)
    }
  }

  /// What the waiting ones wait for, the most frequent first.
  mutating func waiting() -> [StatusTotals.Waiting] {
    let first = firstEnds ?? foundEnds
    firstEnds = first
    return reasons.filter { $0.value > 0 }
      .map { StatusTotals.Waiting(reason: $0.key, count: $0.value, until: first[$0.key]) }
      .sorted { left, right in
        let names = (left.reason?.rawValue ?? "~", right.reason?.rawValue ?? "~")
        return left.count == right.count ? names.0 < names.1 : left.count > right.count
      }
  }
}
