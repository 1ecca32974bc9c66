import Testing
import VmxEngine
import VmxModel

struct MachinesTests {
  @Test func `every non-final state is in exactly one table`() {
    for state in PartState.allCases where !state.awaitsEvent {
      #expect(partTables.count { $0.outcomes[state] != nil } == 1, "\(state)")
    }
  }

  @Test func `a trail may follow each row, and no row may be left out`() {
    let paths = StatePaths(partTables)
    for (state, outcomes) in partTables.flatMap(\.outcomes) {
      for next in outcomes.union([.waiting, .failed]) { #expect(paths.allows(state, next)) }
    }
    for next in [PartState.probed, .partial, .checked, .failed, .waiting] {
      #expect(!paths.allows(.ready, next), "\(next)")
    }
    #expect(!paths.allows(.new, .probed))
    #expect(!paths.allows(.queued, .partial))
    #expect(!paths.allows(.probed, .checked))
    #expect(!paths.allows(.partial, .checked))
  }

  @Test func `no final state is in a table`() {
    for state in PartState.allCases where state.awaitsEvent {
      #expect(partTables.allSatisfy { $0.outcomes[state] == nil }, "\(state)")
    }
  }
}
