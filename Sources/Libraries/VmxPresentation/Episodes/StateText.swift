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

  /// Returns the state in the words of a person, for tables: `waiting`, `downloading 43%`,
  /// `stopped at 43%`, `ready`, `failed: http-gone`, `paused`.
  package static func summary(of episode: Episode, _ facts: EpisodeFacts) -> Cell {
    let exact = state(of: episode, facts)
    if let work = facts.work {
      return work.progress.percent.map { Cell("downloading \($0)%", .active) } ?? exact
    }
    guard episode.want == .fetch else { return exact }
    switch episode.state {
    case .new, .queued, .probed: return Cell("waiting", .plain)
    case .partial: return Cell(stopped(exact.text), exact.style)
    case .complete, .checked: return Cell("stopped at 100%", exact.style)
    default: return exact
    }
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

  /// `stopped at 43%` for `partial 43%`; `stopped` if the percentage is unknown.
  private static func stopped(_ partial: String) -> String {
    let words = partial.split(separator: " ")
    return words.count > 1 ? "stopped at \(words[1])" : "stopped"
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
