/// One step of a part from state to state, as the trail of an episode keeps it.
package struct Transition: Sendable, Equatable {
  /// When.
  package var at: Timestamp
  /// Which part, by its name.
  package var part: String
  /// The state it left.
  package var from: PartState
  /// The state it came to.
  package var to: PartState
  /// What failed, where it leads to `failed` or `waiting`.
  package var code: ErrorCode?

  /// A step of a part.
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
