package import VmxModel

/// A value with a state that machines change: the part of an episode that is fetched, for example.
package protocol MachineContext: Sendable {
  associatedtype State: Hashable, Sendable, RawRepresentable<String>
  /// The current state.
  var state: State { get }
  /// Enters a state, and clears the failure and the wait of the previous one.
  mutating func enter(_ state: State)
  /// Enters the state for a failure of the action of `state`.
  mutating func stop(by failure: Failure, at state: State)
}

/// One transition of a state machine.
package struct Step<State: Hashable & Sendable>: Sendable, Equatable {
  /// The time of the transition.
  package let at: Timestamp
  /// The previous state.
  package let from: State
  /// The new state.
  package let to: State
  /// The code of the failure that led to it; nil if there was none.
  package let code: ErrorCode?

  /// Creates a transition.
  package init(at: Timestamp, from: State, to: State, code: ErrorCode? = nil) {
    self.at = at
    self.from = from
    self.to = to
    self.code = code
  }
}

/// The journal in which the runner records each step.
package protocol StepJournal<Context>: Sendable {
  associatedtype Context: MachineContext
  /// Records steps in the current record, and updates the context from that record. The last step
  /// led to the context's current state.
  ///
  /// Steps to a state at rest are durable on return. The others reach the disk with the next
  /// durable ones.
  ///
  /// - Throws: `WorkEnded` if the work is not to be continued, else errors of the store.
  func record(_ steps: [Step<Context.State>], of context: inout Context) throws
}

/// Runs a context through state machines: one loop, one action at a time.
///
///     let runner = Runner(fetchMachines, journal: StoreJournal(store, of: .fetch), clock: clock)
///     var context = FetchContext(episode, part: index, actions)
///     try runner.run(&context)
package struct Runner<Context: MachineContext>: Sendable {
  private let actions: [Context.State: Action<Context.State, Context>]
  private let journal: any StepJournal<Context>
  private let clock: any WallClock

  /// Creates a runner over machines; no two of them may share a state.
  package init(
    _ machines: [StateMachine<Context.State, Context>], journal: any StepJournal<Context>,
    clock: any WallClock
  ) {
    actions = machines.reduce(into: [:]) { actions, machine in
      actions.merge(machine.actions) { _, _ in
        fatalError("machine '\(machine.name)' has a state of another machine")
      }
    }
    self.journal = journal
    self.clock = clock
  }

  /// Runs actions until no machine has an action for the state.
  ///
  /// A state is recorded before the next action starts. The exception is an action that only
  /// inspects (`isReadOnly`): it runs first, and its step is recorded together with the next one.
  /// So the record never lags behind possible changes to the files, and the trail has each state
  /// that was passed. An error of an action stops the context at that state.
  ///
  /// - Throws: `WorkEnded`, or errors of the journal; never errors of an action.
  package func run(_ context: inout Context) throws {
    var steps: [Step<Context.State>] = []
    var code: ErrorCode?
    // A failure ends the run, also in a state that another run continues (`damaged`).
    while code == nil, let action = actions[context.state] {
      if !action.isReadOnly { try record(&steps, of: &context) }
      let before = context.state
      do {
        let after = try action.perform(&context)
        guard action.outcomes.contains(after) else {
          throw Failure(.internalError, "'\(before.rawValue)' may not lead to '\(after.rawValue)'")
        }
        context.enter(after)
      } catch let ended as WorkEnded {
        try record(&steps, of: &context)
        throw ended
      } catch {
        let failure = Failure(error)
        context.stop(by: failure, at: before)
        code = failure.code
      }
      steps.append(Step(at: clock.now, from: before, to: context.state, code: code))
    }
    try record(&steps, of: &context)
  }

  private func record(_ steps: inout [Step<Context.State>], of context: inout Context) throws {
    guard !steps.isEmpty else { return }
    try journal.record(steps, of: &context)
    steps = []
  }
}

extension Runner where Context == FetchContext {
  /// Runs the part like `run`, and again after each condition that the run waits for.
  ///
  /// During the wait the record has the state `waiting` with the reason, for other processes to
  /// read.
  ///
  /// - Throws: as `run`, and `WorkEnded` during the wait.
  func runThroughWaits(_ context: inout FetchContext) throws {
    try run(&context)
    while context.state == .waiting, try context.actions.source.waitForPolicy(context) {
      try resume(&context)
      try run(&context)
    }
  }

  /// Resumes a part that waited.
  private func resume(_ context: inout FetchContext) throws {
    let before = context.state
    let after = context.part.stateAfterRetry
    context.enter(after)
    try journal.record([Step(at: clock.now, from: before, to: after)], of: &context)
  }
}
