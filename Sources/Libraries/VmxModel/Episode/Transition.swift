/// One state transition of a part, kept in the trail of its episode.
package struct Transition: Sendable, Equatable {
  /// The time of the transition.
  package var at: Timestamp
  /// The name of the part.
  package var part: String
  /// The previous state.
  package var from: PartState
  /// The new state.
  package var to: PartState
  /// The error code of a transition to `failed` or `waiting`.
  package var code: ErrorCode?

  /// Creates a transition of a part.
  package init(
    at: Timestamp, part: String, from: PartState, to: PartState, code: ErrorCode? = nil
  ) {
    self.at = at
    self.part = part
    self.from = from
    self.to = to
    self.code = code
  }
}
