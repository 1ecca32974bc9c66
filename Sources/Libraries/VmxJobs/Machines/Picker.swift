package import VmxModel

/// Every machine there is, in the order in which a part meets them.
package let machines: [StateMachine<PartState, PartContext>] = [
  Preparation.machine, Transferring.machine, Finishing.machine, Repair.machine, Removal.machine,
]

/// Finds the action for a state among several machines.
package struct Picker: Sendable {
  private let actions: [PartState: Action<PartState, PartContext>]

  /// A picker over machines; no two of them may have a state in common.
  package init(_ machines: [StateMachine<PartState, PartContext>]) {
    var actions: [PartState: Action<PartState, PartContext>] = [:]
    for machine in machines {
      actions.merge(machine.actions) { _, _ in
        fatalError("machine '\(machine.name)' has a state that another machine has")
      }
    }
    self.actions = actions
  }

  /// The action of the machine that has this state; nil where the state rests.
  package func action(for state: PartState) -> Action<PartState, PartContext>? {
    actions[state]
  }
}
