import Testing
import VmxModel

@testable import VmxFetching

struct RunBudgetTests {
  private func receive(_ bytes: Int64, _ budget: RunBudget) throws {
    budget.handle(.received(bytes), of: try subject())
  }

  @Test func `the byte budget is spent once that many bytes were received`() throws {
    let budget = try RunBudget(bytes: ByteCount(1000), time: nil, testEnvironment())
    try receive(999, budget)
    #expect(budget.refusal == nil)
    try receive(1, budget)
    #expect(budget.refusal?.code == .budgetSpent)
    #expect(budget.refusal?.summary == "this run has received its limit of 1.0 KiB")
  }

  @Test func `the time budget is spent once the time has passed`() throws {
    let clock = StepClock()
    clock.pass(77)
    let budget = try RunBudget(bytes: nil, time: 120_000, testEnvironment(steps: clock))
    clock.pass(119_999)
    #expect(budget.refusal == nil)
    clock.pass(1)
    #expect(budget.refusal?.summary == "this run has reached its time limit of 2m")
  }

  @Test func `without limits no budget is spent`() throws {
    let budget = try RunBudget(bytes: nil, time: nil, testEnvironment())
    try receive(1 << 40, budget)
    #expect(budget.refusal == nil)
  }
}
