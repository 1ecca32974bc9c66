import Testing
import VmxJobs
import VmxModel

struct MachinesTests {
  @Test func `every state that does not rest is in exactly one table`() {
    for state in PartState.allCases where !state.isResting {
      #expect(machines.count { $0.actions[state] != nil } == 1, "\(state)")
    }
  }

  @Test func `no resting state is in a table`() {
    for state in PartState.allCases where state.isResting {
      #expect(machines.allSatisfy { $0.actions[state] == nil }, "\(state)")
    }
  }
}
