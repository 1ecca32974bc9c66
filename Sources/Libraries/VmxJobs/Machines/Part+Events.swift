package import VmxModel

extension Part {
  /// Comes to a state by itself: what held it back before is forgotten.
  mutating func enter(_ state: PartState) {
    self.state = state
    resumeState = nil
    code = nil
    message = nil
    reason = nil
    until = nil
  }

  /// Stops at `waiting` or `failed`, by the retry class of the code.
  mutating func stop(by failure: Failure, at state: PartState) {
    resumeState = state
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

  /// Whether it waits or failed. A record by another program may lack the state to resume; such a
  /// part is taken up like any other, or it would be due for ever.
  var isStopped: Bool { resumeState != nil || state == .waiting || state == .failed }

  /// Where it goes on from when what stops it is lifted: from `queued`, but a damaged file is looked
  /// at once more before anything is fetched.
  var stateToLiftTo: PartState { resumeState == .damaged ? .damaged : .queued }

  /// Whether its file is to be brought again because the one that was here is hurt or gone.
  package var isToBeRepaired: Bool {
    repairs != nil && state != .ready
      || [state, resumeState].contains { $0 == .damaged || $0 == .missing }
  }
}
