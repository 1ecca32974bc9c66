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
    for index in trail.indices {
      let (from, to) = (trail[index].from, trail[index].to)
      if !allows(from, to) {
        faults.append(TrailFault(.row, part: trail[index].part, from: from, to: to))
      }
      guard let before = Self.last(before: index, in: trail), !Self.follows(before, from) else {
        continue
      }
      faults.append(TrailFault(.step, part: trail[index].part, from: before.to, to: from))
    }
    return faults
  }

  /// Returns the states of the step of the same part before a step.
  private static func last(
    before index: Int, in trail: [Transition]
  ) -> (from: PartState, to: PartState)? {
    // By index: a copy of a step would cost reference counts, for each step of a large library.
    var earlier = index - 1
    while earlier >= 0 {
      if trail[earlier].part == trail[index].part {
        return (trail[earlier].from, trail[earlier].to)
      }
      earlier -= 1
    }
    return nil
  }

  /// Whether a step from a state may follow another step.
  private static func follows(_ before: (from: PartState, to: PartState), _ from: PartState) -> Bool
  {
    switch (before.to, from) {
    case (_, .removed): true
    case (.waiting, _) where before.from.ordinal == from.ordinal: true
    case (.failed, _) where before.from.ordinal == from.ordinal: true
    default: before.to.ordinal == from.ordinal
    }
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
