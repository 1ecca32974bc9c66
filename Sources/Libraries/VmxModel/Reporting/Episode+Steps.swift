// The steps are derived from two records of an episode, one before and one after a transaction. So
// no tool can forget to report a step, and only recorded steps are reported.

/// A step of an episode that follows from a change of its record.
package struct RecordedStep: Sendable, Equatable {
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
  /// Returns the steps that led to this record, in order.
  ///
  /// - Parameter before: the previous record; nil for a new episode.
  package func steps(since before: Episode?) -> [RecordedStep] {
    var steps: [RecordedStep] = []
    let (old, new) = (before?.state, state)
    if isAwaited, before.map({ !$0.isAwaited || $0.state == .failed && state != .failed }) ?? true {
      steps.append(RecordedStep(.queued))
    }
    if hasBegun, before?.hasBegun != true { steps.append(RecordedStep(.started)) }
    if want == .hold, before?.want == .fetch { steps.append(RecordedStep(.paused)) }
    if new == .failed, old != .failed || before?.decisivePart?.code != decisivePart?.code {
      steps.append(RecordedStep(.failed, decisivePart?.code))
    }
    if new == .ready, old != .ready { steps.append(RecordedStep(.ready)) }
    if isWatched, before?.isWatched != true { steps.append(RecordedStep(.watched)) }
    if !isWatched, before?.isWatched == true { steps.append(RecordedStep(.unwatched)) }
    if before?.isAwaited == true || before?.want == .hold, old != .ready,
      want == .none || want == .gone,
      new != .ready
    {
      steps.append(RecordedStep(.dropped))
    }
    if new == .expired || new == .revoked, old != new { steps.append(RecordedStep(.expired)) }
    if new == .removed, let old, old != .removed { steps.append(RecordedStep(.deleted)) }
    return steps
  }

  /// The steps that follow from the removal of this record.
  package var stepsOfRemoval: [RecordedStep] {
    if state != .removed, parts.contains(where: { $0.path != nil }) {
      return [RecordedStep(.deleted)]
    }
    return isAwaited ? [RecordedStep(.dropped)] : []
  }

  /// Whether its files are still to be fetched.
  private var isAwaited: Bool {
    want == .fetch && ![.ready, .expired, .revoked, .removing, .removed].contains(state)
  }

  /// Whether bytes have been fetched but its files are not complete yet. An episode that waits or
  /// failed midway resumes later and does not start again.
  private var hasBegun: Bool {
    [state, decisivePart?.resumeState].contains { state in
      [.probed, .partial, .complete, .checked].contains(state)
    }
  }
}
