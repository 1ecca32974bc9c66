package import VmxModel

// Each function says in its hint how to lift what stands against the request. Want and state stay
// two axes: only cancel and retry touch states, and only those of parts that nobody has whole.

extension Episode {
  /// What is asked for anew takes its place behind what was asked for before.
  mutating func add(now: Timestamp) {
    if want == .none || want == .gone { place = now.nanoseconds }
    want = .fetch
    for index in parts.indices where parts[index].state == .removed {
      step(of: index, to: .queued, now: now)
    }
  }

  mutating func drop() -> String? {
    guard want != .gone else { return removedHint }
    want = .none
    return nil
  }

  /// What is here in full has nothing to be held.
  mutating func pause() -> String? {
    switch want {
    case .fetch:
      guard state != .ready || !lacks.isEmpty else { return nil }
      want = .hold
      return nil
    case .hold: return nil
    case .none: return unwantedHint
    case .gone: return removedHint
    }
  }

  mutating func resume() -> String? {
    switch want {
    case .fetch: return nil
    case .hold: want = .fetch
    case .none: return unwantedHint
    case .gone: return removedHint
    }
    return nil
  }

  /// Takes parts that are not whole back to the beginning; the trail remembers it, which tells
  /// whoever works on the episode that the bytes are not to be kept.
  mutating func cancel(now: Timestamp) -> String? {
    guard want != .gone else { return removedHint }
    guard state != .ready else {
      return "it is ready; 'vmx queue drop \(id)' gives up the wish and keeps its files"
    }
    want = .none
    for index in parts.indices where parts[index].isUnfinished {
      if parts[index].repairs != nil {
        // The damaged file is still there, and is all there is.
        parts[index].repairs = nil
        step(of: index, to: .damaged, now: now)
        continue
      }
      parts[index].forgetCancelledBytes()
      step(of: index, to: .new, now: now)
    }
    return nil
  }

  mutating func retry(now: Timestamp) -> String? {
    guard want != .gone else { return removedHint }
    let stopped = parts.indices.filter { [.failed, .waiting].contains(parts[$0].state) }
    guard !stopped.isEmpty else {
      switch want {
      case .hold: return "nothing of it failed or waits; 'vmx queue resume \(id)' lets it go on"
      case .none: return unwantedHint
      default: return nil
      }
    }
    if want == .none { place = now.nanoseconds }
    want = .fetch
    for index in stopped { step(of: index, to: parts[index].stateToLiftTo, now: now) }
    return nil
  }

  /// Leads a part to a state by an event, and remembers it.
  mutating func step(of index: Int, to state: PartState, now: Timestamp) {
    let from = parts[index].state
    parts[index].enter(state)
    remember(Transition(at: now, part: parts[index].name, from: from, to: state))
  }

  private var unwantedHint: String {
    "nobody wants it fetched; 'vmx queue add \(id)' asks for it"
  }

  private var removedHint: String {
    "it was removed on purpose; 'vmx queue add \(id)' asks for it again"
  }
}

extension Episode {
  /// The parts whose last step was to be cancelled: whatever bytes there are, nobody wants them.
  package var cancelledParts: [Part] {
    parts.filter { part in
      part.state == .new && trail.last { $0.part == part.name }?.to == .new
    }
  }
}

extension Part {
  /// Whether work on it has begun and has not brought it to the end.
  fileprivate var isUnfinished: Bool {
    switch state {
    case .queued, .probed, .partial, .complete, .checked: true
    case .waiting, .failed: resumeState != .missing && resumeState != .damaged
    default: false
    }
  }

  /// Forgets what was known of bytes that are not wanted, except the path that a file may have got
  /// already and what tells that file from others: `CancelledFiles` removes it.
  fileprivate mutating func forgetCancelledBytes() {
    let published = path == nil ? nil : (root: root, path: path, size: size, sha256: sha256)
    forgetBytes()
    if let published {
      (root, path) = (published.root, published.path)
      (size, sha256) = (published.size, published.sha256)
    }
  }

  /// Forgets what was known of bytes that are here no longer.
  mutating func forgetBytes() {
    (root, path, size, sha256) = (nil, nil, nil, nil)
    (proof, proven, original, chosen) = (nil, nil, nil, nil)
    repairs = nil
  }
}
