package import VmxModel

extension Part {
  /// Enters a state, and clears the failure and the wait of the previous one.
  mutating func enter(_ state: PartState) {
    self.state = state
    resumeState = nil
    code = nil
    message = nil
    reason = nil
    until = nil
  }

  /// Enters `waiting` or `failed`, by the retry class of the code.
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
  /// part is resumed from `queued`, since it would be due forever otherwise.
  var isStopped: Bool { resumeState != nil || state == .waiting || state == .failed }

  /// The state that it resumes from when its obstacle is lifted: `queued`. A damaged file resumes
  /// from `damaged`, so that it is inspected again before anything is fetched.
  var stateToLiftTo: PartState { resumeState == .damaged ? .damaged : .queued }

  /// Whether its file is to be fetched again because the published one is damaged or missing.
  package var isToBeRepaired: Bool {
    repairs != nil && state != .ready
      || [state, resumeState].contains { $0 == .damaged || $0 == .missing }
  }
}
