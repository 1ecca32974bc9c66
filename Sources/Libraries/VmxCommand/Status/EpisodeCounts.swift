import VmxModel
import VmxPresentation
import VmxStore

/// The number of episodes in each group, updated with each change.
struct EpisodeCounts {
  private struct End {
    let reason: WaitReason?
    let until: Timestamp
  }

  /// The states by the hash of the id; the ids themselves would take five times the memory.
  private var states: [Int: PackedState] = [:]
  private var groups: [PackedState.Group: Int] = [:]
  private var reasons: [WaitReason?: Int] = [:]
  /// The end of the wait of each episode that waits until a time.
  private var ends: [Int: End] = [:]
  /// The earliest end for each reason; nil if it must be computed again.
  private var firstEnds: [WaitReason?: Timestamp]? = [:]

  /// The number of episodes in a group.
  subscript(group: PackedState.Group) -> Int { groups[group] ?? 0 }

  /// The number of all episodes.
  var all: Int { groups.values.reduce(0, +) }

  /// The state of an episode when it was last counted; nil if it was not counted or not stored.
  func state(of id: EpisodeID) -> PackedState? { states[id.hashValue] }

  /// Counts an episode in its current state.
  ///
  /// - Parameter remembering: whether its state is stored, so that it can be counted again or
  ///   queried.
  mutating func count(_ episode: EpisodeSummary, remembering: Bool) {
    if !states.isEmpty { remove(episode.id) }
    let state = PackedState(episode)
    groups[state.group, default: 0] += 1
    // Skips hashing the id when nothing is stored, which saves a million hashes.
    guard remembering || state.group == .waiting else { return }
    let key = episode.id.hashValue
    if remembering { states[key] = state }
    guard state.group == .waiting else { return }
    reasons[state.reason, default: 0] += 1
    guard let until = episode.until else { return }
    ends[key] = End(reason: state.reason, until: until)
    let first = firstEnds?[state.reason] ?? until
    firstEnds?[state.reason] = min(first, until)
  }

  /// Removes an episode from the counts.
  mutating func remove(_ id: EpisodeID) {
    let key = id.hashValue
    guard let state = states.removeValue(forKey: key) else { return }
    groups[state.group, default: 0] -= 1
    guard state.group == .waiting else { return }
    reasons[state.reason, default: 0] -= 1
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

/// The state of an episode packed into eight bytes, enough to derive its later transitions.
struct PackedState: Equatable {
  /// The group in which an episode is counted.
  enum Group: UInt64, CaseIterable {
    case ready, failed, waiting, paused, queued
    /// Removed, or known and not wanted.
    case idle
  }

  private let word: UInt64

  init(_ summary: EpisodeSummary) {
    let reason = summary.reason.flatMap { WaitReason.allCases.firstIndex(of: $0) }
    let reasonNumber = reason.map { $0 + 1 } ?? 0
    let wantNumber = Want.allCases.firstIndex(of: summary.want) ?? 0
    let trace = summary.lastStep.map { Self.trace(of: $0) } ?? 0
    word =
      Self.group(of: summary).rawValue | UInt64(wantNumber) << 4 | UInt64(reasonNumber) << 8
      | trace << 16
  }

  /// The group in which the episode is counted.
  var group: Group { Group(rawValue: word & 15) ?? .idle }

  /// The `want` of the episode.
  var want: Want { Want.allCases[Int(word >> 4 & 15)] }

  /// The reason for which it waits; nil if there is none.
  var reason: WaitReason? {
    let number = Int(word >> 8 & 255)
    return number == 0 ? nil : WaitReason.allCases[number - 1]
  }

  /// Returns the transitions of a newer record that follow the last one known.
  ///
  /// If the record no longer contains that one, all its transitions are newer.
  func steps(since episode: Episode) -> ArraySlice<Transition> {
    let known = episode.trail.lastIndex { Self.trace(of: $0) == word >> 16 }
    return episode.trail[(known.map { $0 + 1 } ?? 0)...]
  }

  /// Returns 48 bits that distinguish the transitions of one episode; never 0.
  private static func trace(of step: Transition) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(step.at)
    hasher.combine(step.part)
    hasher.combine(step.from)
    hasher.combine(step.to)
    return UInt64(bitPattern: Int64(hasher.finalize())) >> 16 | 1
  }

  private static func group(of summary: EpisodeSummary) -> Group {
    switch summary.state {
    case .ready: return .ready
    case .failed: return .failed
    case .removed, .removing, .expired, .revoked: return .idle
    default: break
    }
    switch summary.want {
    case .fetch: return summary.state == .waiting ? .waiting : .queued
    case .hold: return .paused
    case .none, .gone: return .idle
    }
  }
}
