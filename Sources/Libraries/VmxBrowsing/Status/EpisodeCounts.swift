import VmxModel
import VmxPresentation
import VmxStore

/// The number of episodes in each group, updated with each change.
struct EpisodeCounts {
  private struct End {
    let reason: WaitReason?
    let until: Timestamp
  }

  /// The standings by the hash of the id; the ids themselves would take five times the memory.
  private var standings: [Int: EpisodeStanding] = [:]
  private var groups: [EpisodeStanding.Group: Int] = [:]
  private var reasons: [WaitReason?: Int] = [:]
  /// The end of the wait of each episode that waits until a time.
  private var ends: [Int: End] = [:]
  /// The earliest end for each reason; nil if it must be computed again.
  private var firstEnds: [WaitReason?: Timestamp]? = [:]

  /// The number of episodes in a group.
  subscript(group: EpisodeStanding.Group) -> Int { groups[group] ?? 0 }

  /// The number of all episodes.
  var all: Int { groups.values.reduce(0, +) }

  /// The standing of an episode when it was last counted; nil if it was not counted or not stored.
  func standing(of id: EpisodeID) -> EpisodeStanding? { standings[id.hashValue] }

  /// Counts an episode in its current state.
  ///
  /// - Parameter remembering: whether its standing is stored, so that it can be counted again or
  ///   queried.
  mutating func count(_ episode: EpisodeSummary, remembering: Bool) {
    if !standings.isEmpty { forget(episode.id) }
    let standing = EpisodeStanding(episode)
    groups[standing.group, default: 0] += 1
    // Skips hashing the id when nothing is stored, which saves a million hashes.
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

  /// Removes an episode from the counts.
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

  /// The wait reasons with their counts, the most frequent first.
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
