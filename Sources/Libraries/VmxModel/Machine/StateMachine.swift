/// The action of one state: its possible outcomes and the function that performs it.
package struct Action<State: Hashable & Sendable, Context>: Sendable {
  /// The states that the action may return.
  package let outcomes: Set<State>
  /// Whether the action has no effect but the next state, so that a crash before the state is
  /// recorded costs only a repetition.
  package let isReadOnly: Bool
  /// Performs the action and returns the next state; may run again after a crash.
  package let perform: @Sendable (inout Context) throws -> State

  /// Creates an action with its declared outcomes.
  package init(
    to outcomes: Set<State>, isReadOnly: Bool = false,
    _ perform: @escaping @Sendable (inout Context) throws -> State
  ) {
    self.outcomes = outcomes
    self.isReadOnly = isReadOnly
    self.perform = perform
  }
}

/// A table of states and their actions; the runner stops at any state that is not in the table.
///
///     let machine = StateMachine<PartState, FetchContext>(
///       "finishing",
///       [
///         .complete: Action(to: [.checked], isReadOnly: true, check),
///         .checked: Action(to: [.ready], place),
///       ])
package struct StateMachine<State: Hashable & Sendable, Context>: Sendable {
  /// The name in the manual.
  package let name: String
  /// The action of each state.
  package let actions: [State: Action<State, Context>]

  /// Creates a machine from its table.
  package init(_ name: String, _ actions: [State: Action<State, Context>]) {
    self.name = name
    self.actions = actions
  }

  /// The states and their possible successors.
  package var table: StateTable<State> {
    StateTable(name: name, outcomes: actions.mapValues(\.outcomes))
  }
}

/// The states of a machine and the possible successors of each.
package struct StateTable<State: Hashable & Sendable>: Sendable {
  /// The name of the machine in the manual.
  package let name: String
  /// The successors of each state that the machine has an action for.
  package let outcomes: [State: Set<State>]

  /// Creates a table.
  package init(name: String, outcomes: [State: Set<State>]) {
    self.name = name
    self.outcomes = outcomes
  }
}
