package import VmxModel

/// All state machines, in the order in which a part passes through them.
package let machines: [StateMachine<PartState, PartContext>] = [
  Preparation.machine, Transferring.machine, Finishing.machine, Repair.machine, Removal.machine,
]

/// Finds the action for a state among several machines.
package struct Picker: Sendable {
  private let actions: [PartState: Action<PartState, PartContext>]

  /// Creates a picker over machines; no two of them may share a state.
  package init(_ machines: [StateMachine<PartState, PartContext>]) {
    var actions: [PartState: Action<PartState, PartContext>] = [:]
    for machine in machines {
      actions.merge(machine.actions) { _, _ in
        fatalError("machine '\(machine.name)' has a state that another machine has")
      }
    }
    self.actions = actions
  }

  /// Returns the action for this state; nil if the state is at rest.
  package func action(for state: PartState) -> Action<PartState, PartContext>? {
    actions[state]
  }
}
