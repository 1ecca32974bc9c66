import VmxModel
import VmxStore

/// What must be remembered of an episode to tell what becomes of it: eight bytes.
struct EpisodeStanding: Equatable {
  /// Where an episode counts.
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

  /// Where the episode counts.
  var group: Group { Group(rawValue: word & 15) ?? .idle }

  /// What was wanted of it.
  var want: Want { Want.allCases[Int(word >> 4 & 15)] }

  /// What it waits for.
  var reason: WaitReason? {
    let number = Int(word >> 8 & 255)
    return number == 0 ? nil : WaitReason.allCases[number - 1]
  }

  /// The steps of a newer record that came after the last one known.
  ///
  /// Where that one is forgotten already, all that are remembered came after it.
  func steps(since episode: Episode) -> ArraySlice<Transition> {
    let known = episode.trail.lastIndex { Self.trace(of: $0) == word >> 16 }
    return episode.trail[(known.map { $0 + 1 } ?? 0)...]
  }

  /// 48 bits that tell steps of one episode apart; never 0.
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
