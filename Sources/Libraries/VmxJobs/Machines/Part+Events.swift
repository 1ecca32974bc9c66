package import VmxModel

extension Part {
  /// Comes to a state by itself: what held it back before is forgotten.
  mutating func enter(_ state: PartState) {
    self.state = state
    beneath = nil
    code = nil
    message = nil
    reason = nil
    until = nil
  }

  /// Stops at `waiting` or `failed`, by the retry class of the code.
  mutating func stop(by failure: Failure, at state: PartState) {
    beneath = state
    code = failure.code
    message = failure.summary
    until = failure.retryAt
    switch failure.code.entry.retry {
    case .wait(let reason):
      self.state = .waiting
      self.reason = reason
    case .later, .never:
      self.state = .failed
      reason = nil
    }
  }

  /// Whether a run may take it up: it is on its way, or it stopped and may go on now.
  ///
  /// - Parameter asked: the person named the episode, so what failed is tried again whatever
  ///   its code, and waiting for a time ends.
  package func isWorkable(now: Timestamp, asked: Bool) -> Bool {
    switch state {
    case .failed: return asked || code?.entry.retry == .later
    case .waiting:
      return asked || reason == .window || reason == .quota || until.map { $0 <= now } ?? true
    default: return !state.isResting
    }
  }
}
