import Testing
import VmxModel

@testable import VmxFetching

struct RunBudgetTests {
  private func receive(_ bytes: Int64, _ budget: RunBudget) throws {
    budget.handle(.received(bytes), of: try subject())
  }

  @Test func `bytes are spent once as many came`() throws {
    let budget = RunBudget(bytes: ByteCount(1000), time: nil, moment: { 0 })
    try receive(999, budget)
    #expect(budget.refusal == nil)
    try receive(1, budget)
    #expect(budget.refusal?.code == .budgetSpent)
    #expect(budget.refusal?.summary == "this run has received 1.0 KiB, all that it may")
  }

  @Test func `time is spent once it has passed`() {
    let clock = StepClock()
    clock.pass(77)
    let budget = RunBudget(bytes: nil, time: 120_000, moment: { clock.now })
    clock.pass(119_999)
    #expect(budget.refusal == nil)
    clock.pass(1)
    #expect(budget.refusal?.summary == "this run has taken 2m, all that it may")
  }

  @Test func `without limits nothing is ever spent`() throws {
    let budget = RunBudget(bytes: nil, time: nil, moment: { 0 })
    try receive(1 << 40, budget)
    #expect(budget.refusal == nil)
  }
}
