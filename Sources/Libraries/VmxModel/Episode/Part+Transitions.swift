extension Part {
  /// Enters a state, and clears the failure and the wait of the previous one.
  package mutating func enter(_ state: PartState) {
    self.state = state
    resumeState = nil
    code = nil
    message = nil
    reason = nil
    until = nil
  }

  /// Enters `waiting` or `failed`, by the retry class of the code.
  package mutating func stop(by failure: Failure, at state: PartState) {
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
  package var isStopped: Bool { resumeState != nil || state == .waiting || state == .failed }

  /// The state that it resumes from when its obstacle is lifted: `queued`. A damaged file resumes
  /// from `damaged`, so that it is inspected again before anything is fetched.
  package var stateToLiftTo: PartState { resumeState == .damaged ? .damaged : .queued }

  /// Whether its file is to be fetched again because the published one is damaged or missing.
  package var isToBeRepaired: Bool {
    repairs != nil && state != .ready
      || [state, resumeState].contains { $0 == .damaged || $0 == .missing }
  }

  /// Clears the recorded facts about bytes that no longer exist.
  package mutating func forgetBytes() {
    (root, path, size, sha256) = (nil, nil, nil, nil)
    (proof, proven, original, chosen) = (nil, nil, nil, nil)
    repairs = nil
  }
}

extension PartState {
  /// Whether it is being removed, so that no other work may be done on it.
  package var isLeaving: Bool { [.expired, .revoked, .removing].contains(self) }
}

extension Episode {
  /// The parts whose last step was a cancellation; any bytes of them are to be discarded.
  package var cancelledParts: [Part] {
    parts.filter { part in
      part.state == .new && trail.last { $0.part == part.name }?.to == .new
    }
  }
}

extension Part {
  /// Whether the part is being removed, or its removal was interrupted by a wait or a failure.
  package var isLeaving: Bool {
    state.isLeaving || [.waiting, .failed].contains(state) && resumeState?.isLeaving == true
  }
}
