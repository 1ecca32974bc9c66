/// The state of a part; the raw value is stored.
package enum PartState: String, Sendable, CaseIterable {
  case new, queued, probed, partial, complete, checked, ready
  case waiting, failed
  case missing, damaged
  case expired, revoked, removing, removed

  /// Whether no machine leaves the state, only an event: a time, a lifted policy, a retry or a new
  /// want.
  package var isResting: Bool {
    switch self {
    case .ready, .removed, .waiting, .failed: true
    default: false
    }
  }
}

/// The state of an episode: always the state of one of its parts.
package typealias EpisodeState = PartState

extension EpisodeState {
  /// The precedence by which a part's state becomes the state of the episode.
  package static let precedence: [PartState] = [
    .removing, .revoked, .expired, .failed, .waiting, .damaged, .missing, .checked, .complete,
    .partial, .probed, .queued, .new,
  ]

  /// Derives the state of an episode from the states of its required parts.
  ///
  /// `ready` if all are; `removed` if all are, or if the others are ready, because an episode with
  /// a removed part cannot be watched. An episode without required parts is `new`.
  package static func of(required states: some Sequence<PartState>) -> EpisodeState {
    var first = precedence.count
    var rest: EpisodeState?
    for state in states {
      if let rank = precedence.firstIndex(of: state) {
        first = min(first, rank)
      } else if rest != .removed {
        rest = state
      }
    }
    return first < precedence.count ? precedence[first] : rest ?? .new
  }
}
