package import VmxModel

/// The journal in which the runner records each step.
package protocol PartJournal: Sendable {
  /// Records steps of a part in the current record of its episode, and returns that record. The
  /// last step led to the part's present state.
  ///
  /// Steps to `ready`, `failed` or `waiting` are durable on return. The others reach the disk with
  /// the next durable ones.
  ///
  /// - Throws: `WorkEnded` if the episode is not to be worked on any longer, else errors of the
  ///   store.
  func record(_ steps: [Transition], of context: PartContext) throws -> Episode
}

/// Ends the work on an episode without a failure; the state stays as recorded.
///
/// It has an error code nevertheless, for a tool that reports it for one of many rows.
package enum WorkEnded: CodedError, Equatable {
  /// The process was asked to stop.
  case interrupted
  /// The user wants something else now.
  case wantChanged
  /// The run has reached one of its own limits, named by the failure.
  case postponed(Failure)

  package var code: ErrorCode {
    switch self {
    case .interrupted: .interrupted
    case .wantChanged: .lockBusy
    case .postponed(let failure): failure.code
    }
  }

  package var summary: String {
    switch self {
    case .interrupted: "the run was ended before it was done"
    case .wantChanged: "another process has changed the episode meanwhile"
    case .postponed(let failure): failure.summary
    }
  }

  package var hint: String {
    switch self {
    case .interrupted, .wantChanged: "run the command again"
    case .postponed(let failure): failure.hint
    }
  }
}

extension Error {
  /// Whether it only reports that the process was asked to stop.
  package var isInterruption: Bool {
    self as? WorkEnded == .interrupted || (self as? any CodedError)?.code == .interrupted
  }
}

/// Runs a part through the machines: one loop, one action at a time.
///
///     let runner = Runner(machines, journal: journal, clock: clock)
///     var context = PartContext(episode, part: index, bytes: bytes)
///     try runner.run(&context)
package struct Runner: Sendable {
  private let picker: Picker
  private let journal: any PartJournal
  private let clock: any WallClock

  /// Creates a runner over the given machines.
  package init(
    _ machines: [StateMachine<PartState, PartContext>], journal: any PartJournal,
    clock: any WallClock
  ) {
    picker = Picker(machines)
    self.journal = journal
    self.clock = clock
  }

  /// Runs actions until the part's state is at rest.
  ///
  /// A state is recorded before the next action starts. The exception is an action that only
  /// inspects (`onlyLooks`): it runs first, and its step is recorded together with the next one. So
  /// the record never lags behind possible changes to the files, and the trail has each state that
  /// was passed. An error of an action becomes `waiting` or `failed` by the retry class of its
  /// code.
  ///
  /// - Throws: `WorkEnded`, or errors of the journal; never errors of an action.
  package func run(_ context: inout PartContext) throws {
    var steps: [Transition] = []
    while let action = picker.action(for: context.part.state) {
      if !action.onlyLooks { try record(&steps, of: &context) }
      let before = context.part.state
      do {
        let after = try action.perform(&context)
        guard action.outcomes.contains(after) else {
          throw Failure(.internalError, "'\(before.rawValue)' may not lead to '\(after.rawValue)'")
        }
        context.part.enter(after)
      } catch let ended as WorkEnded {
        try record(&steps, of: &context)
        throw ended
      } catch {
        context.part.stop(by: Failure(error), at: before)
      }
      steps.append(
        Transition(
          at: clock.now, part: context.part.name, from: before, to: context.part.state,
          code: context.part.code))
    }
    try record(&steps, of: &context)
  }

  private func record(_ steps: inout [Transition], of context: inout PartContext) throws {
    guard !steps.isEmpty else { return }
    context.episode = try journal.record(steps, of: context)
    steps = []
  }

  /// Resumes a part that waited.
  func lift(_ context: inout PartContext) throws {
    let before = context.part.state
    let after = context.part.stateToLiftTo
    context.part.enter(after)
    let step = Transition(at: clock.now, part: context.part.name, from: before, to: after)
    context.episode = try journal.record([step], of: context)
  }
}
