// The hint that each function returns explains how to remove the obstacle to the request. Want and
// state are independent: only cancel and retry change states, and only those of incomplete parts.

extension Episode {
  /// Requests the episode. A new request is queued behind earlier ones, and clears any removal.
  ///
  /// - Throws: `expired` if it is not ready and may no longer be watched.
  package mutating func add(now: Timestamp) throws(Failure) {
    try checkFetchable(now: now)
    if want == .none || want == .gone { place = now.nanoseconds }
    if want == .gone || removal != nil { by.set(.want, at: now) }
    want = .fetch
    removal = nil
    requestAgain(now: now)
    for index in parts.indices where parts[index].state == .removed {
      step(of: index, to: .queued, now: now)
    }
  }

  /// Requests an unwanted or removed episode that a fetch names. An episode on hold is not changed.
  ///
  /// - Parameter isTyped: whether the user typed the id. Only this clears a removal by the user.
  /// - Throws: `expired`, as `add`.
  package mutating func request(isTyped: Bool, now: Timestamp) throws(Failure) {
    switch want {
    case .gone where !isTyped, .hold: return
    case .fetch where !parts.contains { $0.state == .removed }:
      try checkFetchable(now: now)
      if isTyped { requestAgain(now: now) }
    case .fetch, .none, .gone: try add(now: now)
    }
  }

  /// Throws for an episode that is not ready and may no longer be watched.
  ///
  /// - Throws: `expired`.
  package func checkFetchable(now: Timestamp) throws(Failure) {
    guard let expires = text.expires, isExpired(at: now), state != .ready else { return }
    throw Failure(
      .expired, "'\(id)' expired on \(expires.text)",
      hint: licence.map { _ in "run 'vmx licence \(id)' to see whether it can be renewed" })
  }

  /// Withdraws the request for the episode. Its files and partial downloads are not changed.
  package mutating func withdraw() -> String? {
    guard want != .gone else { return removedHint }
    want = .none
    return nil
  }

  /// Puts the episode on hold. A complete episode is not changed.
  package mutating func pause() -> String? {
    switch want {
    case .fetch:
      guard state != .ready || !missingParts.isEmpty else { return nil }
      want = .hold
      return nil
    case .hold: return nil
    case .none: return unwantedHint
    case .gone: return removedHint
    }
  }

  /// Releases the episode from hold.
  package mutating func resume() -> String? {
    switch want {
    case .fetch: return nil
    case .hold: want = .fetch
    case .none: return unwantedHint
    case .gone: return removedHint
    }
    return nil
  }

  /// Resets incomplete parts to `new`. The trail records the transition, by which the worker of the
  /// episode knows to discard the bytes.
  package mutating func cancel(now: Timestamp) -> String? {
    guard want != .gone else { return removedHint }
    guard state != .ready else {
      return "already ready; run 'vmx queue drop \(id)' to withdraw the request and keep its files"
    }
    want = .none
    for index in parts.indices where parts[index].isUnfinished {
      if parts[index].repairs != nil {
        // The damaged file is still there; no other copy exists.
        parts[index].repairs = nil
        step(of: index, to: .damaged, now: now)
        continue
      }
      parts[index].clearCancelledBytes()
      step(of: index, to: .new, now: now)
    }
    return nil
  }

  /// Queues parts that failed or wait, and requests an unwanted episode.
  package mutating func retry(now: Timestamp) -> String? {
    guard want != .gone else { return removedHint }
    let stopped = parts.indices.filter {
      [.failed, .waiting].contains(parts[$0].state) && !parts[$0].isBeingRemoved
    }
    guard !stopped.isEmpty else {
      switch want {
      case .hold: return "nothing to retry; run 'vmx queue resume \(id)' to release it"
      case .none: return unwantedHint
      default: return nil
      }
    }
    if want == .none { place = now.nanoseconds }
    want = .fetch
    for index in stopped {
      parts[index].retrySources()
      step(of: index, to: parts[index].stateAfterRetry, now: now)
    }
    return nil
  }

  /// Moves a part to a state outside a state machine, and appends the transition to the trail.
  package mutating func step(of index: Int, to state: PartState, now: Timestamp) {
    let from = parts[index].state
    parts[index].enter(state)
    appendTransition(Transition(at: now, part: parts[index].name, from: from, to: state))
  }

  /// Replaces a part by another record of it, and appends the change of its state to the trail.
  ///
  /// - Parameter isUndo: whether the files of the part were removed, and it returns to a state from
  ///   before them.
  package mutating func replacePart(
    at index: Int, by part: Part, isUndo: Bool = false, now: Timestamp
  ) {
    let from = parts[index].state
    parts[index] = part
    guard from != part.state else { return }
    appendTransition(
      Transition(at: now, part: part.name, from: isUndo ? .removed : from, to: part.state))
  }

  private var unwantedHint: String {
    "not wanted; run 'vmx queue add \(id)' to request it"
  }

  /// The hint for an episode that the user removed.
  package var removedHint: String {
    "\(removalPhrase); run 'vmx queue add \(id)' to request it again"
  }

  /// The message for a request that has cleared the user's removal of this episode; nil if the user
  /// did not remove it.
  package var liftedRemovalNote: String? {
    guard want == .gone else { return nil }
    return "'\(id)' was \(removalPhrase); it is wanted again"
  }

  /// The last removal as a phrase. A record of an earlier version may lack it.
  private var removalPhrase: String {
    removal?.phrase() ?? "removed by the user"
  }
}

extension Part {
  /// Whether work on it has begun and is not finished.
  fileprivate var isUnfinished: Bool {
    switch state {
    case .queued, .probed, .partial, .complete, .checked: true
    case .waiting, .failed: resumeState != .missing && resumeState != .damaged
    default: false
    }
  }

  /// Clears the recorded facts about unwanted bytes. Keeps the path of a file that may have been
  /// published and the facts that identify it, so that `CancelledFiles` can remove it.
  fileprivate mutating func clearCancelledBytes() {
    let published = path == nil ? nil : (root: root, path: path, size: size, sha256: sha256)
    clearBytes()
    if let published {
      (root, path) = (published.root, published.path)
      (size, sha256) = (published.size, published.sha256)
    }
  }
}
