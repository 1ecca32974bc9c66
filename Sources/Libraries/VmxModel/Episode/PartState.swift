/// The state of a part; the raw value is stored.
package enum PartState: String, Sendable, CaseIterable {
  case new, queued, probed, partial, complete, checked, ready
  case waiting, failed
  case missing, damaged
  case expired, revoked, removing, removed

  /// Whether no state machine leaves the state. Only an event does: a time, a lifted policy, a
  /// retry or a new want.
  package var awaitsEvent: Bool {
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

  /// Enters `waiting` or `failed`, by the retry class of the code. A published file whose structure
  /// is broken (`media-broken`) is `damaged`.
  package mutating func stop(by failure: Failure, at state: PartState) {
    if failure.code == .mediaBroken {
      repairs = nil
      enter(.damaged)
      code = failure.code
      message = failure.summary
      return
    }
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

  /// Whether the part waits or failed. A record of another program may lack the state to resume
  /// from. Such a part resumes from `queued`, since it would be due forever otherwise.
  package var isStopped: Bool { resumeState != nil || state == .waiting || state == .failed }

  /// The state to resume from when the obstacle is removed: `queued`. A damaged file resumes from
  /// `damaged`, so that it is inspected again before any fetch.
  package var stateAfterRetry: PartState { resumeState == .damaged ? .damaged : .queued }

  /// The state in which the work on the part continues: the one to resume from, if it waits or
  /// failed.
  package var pendingState: PartState { resumeState ?? (isStopped ? .queued : state) }

  /// Whether the published file is recorded as damaged, also while its repair runs, waits or has
  /// failed.
  package var isDamaged: Bool {
    !isBeingRemoved && (pendingState == .damaged || repairs != nil && isUnderRepair)
  }

  /// Whether the published file is recorded as missing, also while it is fetched again, or after
  /// that has failed.
  ///
  /// Before its first publication a part has a path only in `checked`, and in `complete` until
  /// another name is chosen for one that was taken. A part in `checked` has all its bytes, and is
  /// not missing.
  package var isMissing: Bool {
    guard !isDamaged else { return false }
    switch pendingState {
    case .missing: return true
    case .queued, .probed, .partial, .complete: return path != nil
    default: return false
    }
  }

  private var isUnderRepair: Bool {
    switch pendingState {
    case .queued, .probed, .partial, .complete, .checked: true
    default: false
    }
  }

  /// Whether the file is to be fetched again because the published one is damaged or missing. So
  /// every tool counts it as such until it is `ready` again.
  package var isToBeRepaired: Bool { isDamaged || isMissing }

  /// Forgets the place of the file, whose root is out of reach. The digest stays: it verifies the
  /// bytes that replace it.
  fileprivate mutating func losePlace() {
    (root, path, repairs) = (nil, nil, nil)
    enter(.missing)
    code = .fileMissing
  }

  /// Clears the recorded facts about bytes that no longer exist.
  package mutating func clearBytes() {
    (root, path, size, sha256) = (nil, nil, nil, nil)
    (proof, verifiedAt, original, chosen) = (nil, nil, nil, nil)
    repairs = nil
  }
}

extension PartState {
  /// Whether nothing remains to be fetched, whatever action the user requests.
  package var isOver: Bool {
    switch self {
    case .ready, .removed, .removing, .expired, .revoked, .failed: true
    default: false
    }
  }

  /// Whether the part is being removed, so that no other work may be done on it.
  package var isBeingRemoved: Bool { [.expired, .revoked, .removing].contains(self) }
}

extension Episode {
  /// Whether it is on hold and something remains to be fetched.
  package var isPaused: Bool { want == .hold && !state.isOver }

  /// The parts whose last step was a cancellation; their bytes are to be discarded.
  package var cancelledParts: [Part] {
    parts.filter { part in
      part.state == .new && trail.last { $0.part == part.name }?.to == .new
    }
  }
}

extension Part {
  /// Whether the part is being removed, or its removal was interrupted by a wait or a failure.
  package var isBeingRemoved: Bool {
    state.isBeingRemoved
      || [.waiting, .failed].contains(state) && resumeState?.isBeingRemoved == true
  }
}

extension Episode {
  /// Records that the file of a part is out of reach and is to be replaced by another one, in the
  /// root for new files.
  package mutating func loseFile(ofPart index: Int, now: Timestamp) {
    let before = parts[index].state
    parts[index].losePlace()
    appendTransition(
      Transition(at: now, part: parts[index].name, from: before, to: .missing, code: .fileMissing))
  }
}
