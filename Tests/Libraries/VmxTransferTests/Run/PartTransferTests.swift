import Testing

@testable import VmxTransfer

struct PartTransferTests {
  private typealias Phase = PartTransfer.Phase

  private func reachable(from start: Phase) -> Set<Phase> {
    var found: Set<Phase> = []
    var open = [start]
    while let phase = open.popLast() {
      guard found.insert(phase).inserted else { continue }
      open += PartTransfer.table[phase]?.next ?? []
    }
    return found
  }

  @Test func `every phase but the last has an action`() {
    #expect(Phase.allCases.filter { PartTransfer.table[$0] == nil } == [.done])
  }

  @Test func `every phase is reachable, and the last one from each`() {
    #expect(reachable(from: .restoring) == Set(Phase.allCases))
    for phase in Phase.allCases { #expect(reachable(from: phase).contains(.done)) }
  }

  @Test func `nothing is done before it is verified, and nothing is restored twice`() {
    for (phase, action) in PartTransfer.table {
      #expect(!action.next.contains(.done) || phase == .verifying)
      #expect(!action.next.contains(.restoring))
    }
  }
}
