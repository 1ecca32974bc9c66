/// The transitions that the state tables allow, to check the trail of an episode.
///
///     let paths = StatePaths(partTables)
///     for fault in paths.faults(in: episode.trail) { … }
package struct StatePaths: Sendable {
  /// The states after each state, as a bit for each.
  private var next = [UInt16](repeating: 0, count: PartState.allCases.count)

  /// Derives the transitions from the tables of the machines, the events, and the rule that an
  /// action which fails leads to `waiting` or `failed`.
  package init(_ tables: [StateTable<PartState>]) {
    for (state, outcomes) in tables.flatMap(\.outcomes) {
      for outcome in outcomes.union([.waiting, .failed]) { allow(state, outcome) }
    }
    for event in StateEvent.all {
      for from in event.from {
        for to in event.to { allow(from, to) }
      }
    }
  }

  private mutating func allow(_ from: PartState, _ to: PartState) {
    next[from.ordinal] |= 1 << to.ordinal
  }

  /// Whether a table or an event leads from one state to another.
  package func allows(_ from: PartState, _ to: PartState) -> Bool {
    next[from.ordinal] & 1 << to.ordinal != 0
  }

  /// Returns the faults of a trail, in its order.
  ///
  /// The steps of each part must follow each other. Work that stopped goes on from the state in
  /// which it stopped. The undo of a removal restores the trail from before it, and so continues
  /// from `removed` behind any step.
  package func faults(in trail: [Transition]) -> [TrailFault] {
    var faults: [TrailFault] = []
    for (index, step) in trail.enumerated() {
      if !allows(step.from, step.to) {
        faults.append(TrailFault(.row, part: step.part, from: step.from, to: step.to))
      }
      guard step.from != .removed,
        let before = trail[..<index].last(where: { $0.part == step.part }),
        before.to != step.from
      else { continue }
      let hasStopped = before.to == .waiting || before.to == .failed
      if !hasStopped || before.from != step.from {
        faults.append(TrailFault(.step, part: step.part, from: before.to, to: step.from))
      }
    }
    return faults
  }
}

/// A fault in the trail of an episode.
package struct TrailFault: Sendable, Equatable {
  /// The missing thing.
  package enum Missing: Sendable {
    /// The tables have no row for a recorded step.
    case row
    /// The trail lacks the step between two recorded ones.
    case step
  }

  /// The missing thing.
  package let missing: Missing
  /// The name of the part.
  package let part: String
  /// The state before.
  package let from: PartState
  /// The state after.
  package let to: PartState

  /// Creates a fault.
  package init(_ missing: Missing, part: String, from: PartState, to: PartState) {
    self.missing = missing
    self.part = part
    self.from = from
    self.to = to
  }

  /// The sentence for `vmx doctor`, without the name of the part.
  package var summary: String {
    let states = "from '\(from.rawValue)' to '\(to.rawValue)'"
    return switch missing {
    case .row: "the state tables have no row \(states)"
    case .step: "the trail has no step \(states)"
    }
  }
}

extension PartState {
  /// The number of the state in the order of declaration. A search of `allCases` would compare the
  /// raw values, a hundred times as slow.
  fileprivate var ordinal: Int {
    switch self {
    case .new: 0
    case .queued: 1
    case .probed: 2
    case .partial: 3
    case .complete: 4
    case .checked: 5
    case .ready: 6
    case .waiting: 7
    case .failed: 8
    case .missing: 9
    case .damaged: 10
    case .expired: 11
    case .revoked: 12
    case .removing: 13
    case .removed: 14
    }
  }
}
