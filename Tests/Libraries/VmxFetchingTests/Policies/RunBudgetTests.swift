import Testing
import VmxFetching
import VmxModel

struct RunBudgetTests {
  @Test func `bytes are spent once as many came`() {
    let budget = RunBudget(bytes: ByteCount(1000), time: nil)
    budget.spend(999)
    #expect(budget.refusal == nil)
    budget.spend(1)
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

  @Test func `without limits nothing is ever spent`() {
    let budget = RunBudget(bytes: nil, time: nil)
    budget.spend(1 << 40)
    #expect(budget.refusal == nil)
  }
}
