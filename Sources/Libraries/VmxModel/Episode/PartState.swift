/// How far a part has come; the stored name is the raw value.
package enum PartState: String, Sendable, CaseIterable {
  case new, queued, probed, partial, complete, checked, ready
  case waiting, failed
  case missing, damaged
  case expired, revoked, removing, removed

  /// States that no machine leaves: only an event does (time come, policy lifted, retry, want).
  package var isResting: Bool {
    switch self {
    case .ready, .removed, .waiting, .failed: true
    default: false
    }
  }
}

/// How far an episode has come: always the state of one of its parts.
package typealias EpisodeState = PartState

extension EpisodeState {
  /// The order in which a part's state speaks for the whole episode.
  package static let precedence: [PartState] = [
    .removing, .revoked, .expired, .failed, .waiting, .damaged, .missing, .checked, .complete,
    .partial, .probed, .queued, .new,
  ]

  /// The state of an episode from the states of its required parts.
  ///
  /// `ready` when all are; `removed` when all are, or when the rest are ready: what was removed
  /// cannot be watched. An episode without required parts is `new`.
  package static func of(required states: [PartState]) -> EpisodeState {
    guard !states.isEmpty else { return .new }
    if let speaking = precedence.first(where: states.contains) { return speaking }
    return states.contains(.removed) ? .removed : .ready
  }
}
