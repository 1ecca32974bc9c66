import Testing
import VmxModel

@testable import VmxCommand

struct MachineConditionTests {
  private func conditions(_ failures: [(Failure, String)]) -> [MachineCondition] {
    var all: [MachineCondition] = []
    for (failure, id) in failures {
      if let condition = MachineCondition(failure.about(id), of: id, hint: failure.hint) {
        all.add(condition)
      }
    }
    return all
  }

  // Regression: a cap that was reached was 122 lines of errors each hour.
  @Test func `a condition that many episodes wait for is told once, with a count`() {
    let cap = Failure(.capReached, "1 MiB left", retryAt: Timestamp(seconds: 1_800_000_000))
    let found = conditions((1...61).map { (cap, "show/e\($0)") })
    #expect(found.count == 1)
    let (failure, id) = found[0].failure(in: SystemZone())
    #expect(id == nil)
    #expect(failure.code == .capReached)
    #expect(failure.hint == cap.hint)
    #expect(failure.summary.hasPrefix("61 episodes wait until 2027-01-15 "))
    #expect(failure.summary.hasSuffix(": 1 MiB left"))
  }

  @Test func `a single episode is named, and each root is a condition of its own`() {
    let roots = ["/a", "/b", "/b"].map { Failure(.rootAway, "the root is away: '\($0)'") }
    let found = conditions(zip(roots, ["s/1", "s/2", "s/3"]).map { ($0, $1) })
    #expect(found.map(\.count) == [1, 2])
    #expect(found.first?.failure(in: SystemZone()).id == "s/1")
  }

  @Test func `what an episode waits for by itself is no condition of the machine`() {
    for code in [ErrorCode.rateLimited, .httpGone, .lockBusy] {
      #expect(MachineCondition(Failure(code, "no"), of: "s/1", hint: "") == nil)
    }
  }
}
