import VmxModel
import VmxStore

/// The state of an episode packed into eight bytes, enough to derive its later transitions.
struct EpisodeStanding: Equatable {
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
