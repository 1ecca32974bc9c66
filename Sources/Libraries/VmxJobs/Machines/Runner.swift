package import VmxModel

/// Where the runner records each step.
package protocol PartJournal: Sendable {
  /// Records steps of a part, the last of which led to the state it has now, in the episode's
  /// fresh record and gives that record back.
  ///
  /// Where they lead to `ready`, `failed` or `waiting` they are durable on return; the others
  /// reach the disk with the next durable ones.
  ///
  /// - Throws: `WorkEnded` if the episode is not to be worked on any longer, else what the store
  ///   throws.
  func record(_ steps: [Transition], of context: PartContext) throws -> Episode
}

/// Not a failure: the work on an episode ends here and its state stays as recorded.
///
/// A tool that reports it nevertheless, for one of many rows, has a code for it.
package enum WorkEnded: CodedError, Equatable {
  /// The process was asked to stop.
  case interrupted
  /// The person wants something else now.
  case wantChanged
  /// The run has reached a limit of its own, with its code.
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
  /// Whether it only says that the process was asked to stop.
  package var isInterruption: Bool {
    self as? WorkEnded == .interrupted || (self as? any CodedError)?.code == .interrupted
  }
}

/// Runs a part through the machines: one loop, one action at a time.
package struct Runner: Sendable {
  private let picker: Picker
  private let journal: any PartJournal
  private let clock: any WallClock

  /// A runner over the given machines.
  package init(
    _ machines: [StateMachine<PartState, PartContext>], journal: any PartJournal,
    clock: any WallClock
  ) {
    picker = Picker(machines)
    self.journal = journal
    self.clock = clock
  }

  /// Takes the part from state to state until it rests.
  ///
  /// A state is recorded before the next action starts, except that an action which only looks
  /// runs before: its step is recorded together with the next one. So the record never says less
  /// than what may have been done to the files, and each state that was passed is in the trail.
  /// What an action throws becomes `waiting` or `failed` by the retry class of its code.
  ///
  /// - Throws: `WorkEnded`, or what the journal throws; never what an action throws.
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

  /// Lets what waited go on.
  func lift(_ context: inout PartContext) throws {
    let before = context.part.state
    let after = context.part.stateToLiftTo
    context.part.enter(after)
    let step = Transition(at: clock.now, part: context.part.name, from: before, to: after)
    context.episode = try journal.record([step], of: context)
  }
}
