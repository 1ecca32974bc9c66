// The steps are derived from two records of an episode, the one before a transaction and the one
// after it. So no tool can forget to tell one, and none is told that was not recorded.

/// A step that an episode took with a change of its record.
package struct TakenStep: Sendable, Equatable {
  /// The step.
  package let step: OutboxStep
  /// The code of a failure.
  package let code: ErrorCode?

  init(_ step: OutboxStep, _ code: ErrorCode? = nil) {
    self.step = step
    self.code = code
  }
}

extension Episode {
  /// Returns the steps that led to this record, in their order.
  ///
  /// - Parameter before: the record before; nil for a new episode.
  package func steps(since before: Episode?) -> [TakenStep] {
    var steps: [TakenStep] = []
    let (old, new) = (before?.state, state)
    if isAwaited, before.map({ !$0.isAwaited || $0.state == .failed && state != .failed }) ?? true {
      steps.append(TakenStep(.queued))
    }
    if hasBegun, before?.hasBegun != true { steps.append(TakenStep(.started)) }
    if want == .hold, before?.want == .fetch { steps.append(TakenStep(.paused)) }
    if new == .failed, old != .failed || before?.speakingPart?.code != speakingPart?.code {
      steps.append(TakenStep(.failed, speakingPart?.code))
    }
    if new == .ready, old != .ready { steps.append(TakenStep(.ready)) }
    if isWatched, before?.isWatched != true { steps.append(TakenStep(.watched)) }
    if !isWatched, before?.isWatched == true { steps.append(TakenStep(.unwatched)) }
    if before?.isAwaited == true || before?.want == .hold, old != .ready,
      want == .none || want == .gone,
      new != .ready
    {
      steps.append(TakenStep(.dropped))
    }
    if new == .expired || new == .revoked, old != new { steps.append(TakenStep(.expired)) }
    if new == .removed, let old, old != .removed { steps.append(TakenStep(.deleted)) }
    return steps
  }

  /// The steps that the removal of this record takes.
  package var stepsOfRemoval: [TakenStep] {
    if state != .removed, parts.contains(where: { $0.path != nil }) { return [TakenStep(.deleted)] }
    return isAwaited ? [TakenStep(.dropped)] : []
  }

  /// Whether its files are to come.
  private var isAwaited: Bool {
    want == .fetch && ![.ready, .expired, .revoked, .removing, .removed].contains(state)
  }

  /// Whether bytes of it were fetched that did not become its files yet. One that waits or failed in
  /// the middle goes on later and does not begin again.
  private var hasBegun: Bool {
    [state, speakingPart?.resumeState].contains { state in
      [.probed, .partial, .complete, .checked].contains(state)
    }
  }
}
