import Testing
import VmxEngine
import VmxModel

struct MachinesTests {
  @Test func `every non-final state is in exactly one table`() {
    for state in PartState.allCases where !state.awaitsEvent {
      #expect(partTables.count { $0.outcomes[state] != nil } == 1, "\(state)")
    }
  }

  @Test func `no final state is in a table`() {
    for state in PartState.allCases where state.awaitsEvent {
      #expect(partTables.allSatisfy { $0.outcomes[state] == nil }, "\(state)")
    }
  }
}
