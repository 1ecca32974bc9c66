/// One thing that is done in a state: where it may lead, and the function that does it.
package struct Action<State: Hashable & Sendable, Context>: Sendable {
  /// The states it may lead to.
  package let outcomes: Set<State>
  /// Whether it leaves nothing behind but the next state, so that a crash before that is recorded
  /// costs only its being asked again.
  package let onlyLooks: Bool
  /// Does it, and gives the next state; may run again after a crash.
  package let perform: @Sendable (inout Context) throws -> State

  /// An action with its declared outcomes.
  package init(
    to outcomes: Set<State>, onlyLooks: Bool = false,
    _ perform: @escaping @Sendable (inout Context) throws -> State
  ) {
    self.outcomes = outcomes
    self.onlyLooks = onlyLooks
    self.perform = perform
  }
}

/// A table of states and what is done in each; it stops at any state that is not its own.
package struct StateMachine<State: Hashable & Sendable, Context>: Sendable {
  /// Its name in the manual.
  package let name: String
  /// The whole story: what is done in which state.
  package let actions: [State: Action<State, Context>]

  /// A machine from its table.
  package init(_ name: String, _ actions: [State: Action<State, Context>]) {
    self.name = name
    self.actions = actions
  }
}
