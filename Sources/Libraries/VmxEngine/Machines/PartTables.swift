package import VmxModel

/// The machines that fetch a part, in the order in which it passes through them. An import of a
/// local file enters at `Finishing`.
package let fetchMachines = [
  Preparation.machine, Transferring.machine, Finishing.machine, Repair.machine,
]

/// The tables of all state machines of a part.
package let partTables: [StateTable<PartState>] =
  fetchMachines.map(\.table) + [Removal.machine.table]
