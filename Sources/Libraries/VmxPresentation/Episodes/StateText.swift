package import VmxModel

/// The text for the state of an episode or a part.
package enum StateText {
  /// Returns the state and its reason: `ready`, `paused`, `in work 43%`, `partial 43%`,
  /// `waiting: metered`, `failed: http-gone`.
  package static func state(of episode: Episode, _ facts: EpisodeFacts) -> Cell {
    if let work = facts.work {
      return Cell("in work\(work.progress.percent.map { " \($0)%" } ?? "")", .active)
    }
    let state = episode.state
    if episode.isPaused { return Cell("paused", .warning) }
    if episode.want == .none, !state.isOver, state != .new { return Cell("cancelled", .dim) }
    guard let part = episode.decisivePart else { return Cell(state.rawValue, state.style) }
    let cell = self.state(of: part, facts)
    guard state == .ready, !episode.missingParts.isEmpty else { return cell }
    return Cell("ready, lacks \(episode.missingParts.joined(separator: ", "))", cell.style)
  }

  /// Returns the state of one part and its reason.
  package static func state(of part: Part, _ facts: EpisodeFacts) -> Cell {
    let tone = part.state.style
    switch part.state {
    case .failed: return Cell(joined("failed", part.code?.rawValue), tone)
    case .waiting: return Cell(joined("waiting", part.reason?.rawValue), tone)
    case .partial:
      guard let size = part.size?.bytes, size > 0 else { return Cell("partial", tone) }
      let percent = facts.completedBytes(of: part).bytes.multipliedClamped(by: 100) / size
      return Cell("partial \(min(99, percent))%", tone)
    default: return Cell(part.state.rawValue, tone)
    }
  }

  private static func joined(_ word: String, _ reason: String?) -> String {
    reason.map { "\(word): \($0)" } ?? word
  }
}

extension PartState {
  fileprivate var style: TextStyle {
    switch self {
    case .ready: .success
    case .failed, .damaged, .missing: .failure
    case .waiting, .expired, .revoked: .warning
    case .partial, .complete, .checked, .probed, .removing: .active
    case .new, .queued: .plain
    case .removed: .dim
    }
  }
}
