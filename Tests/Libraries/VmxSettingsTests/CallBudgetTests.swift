import Testing
import VmxModel
import VmxSettings

struct CallBudgetTests {
  private let now = Timestamp(seconds: 1000)

  private func wait(_ budget: String, _ ages: [Int64]) -> Int64? {
    CallBudget(budget)?.wait(after: ages.map { now.adding(milliseconds: -$0) }, now: now)
  }

  @Test(arguments: ["", "20", "20/", "/10s", "0/10s", "1001/10s", "-1/10s", "2/0s", "2/25h", "2/x"])
  func `a text without a number and a time is not a budget`(text: String) {
    #expect(CallBudget(text) == nil)
  }

  @Test func `a caller with fewer requests may continue`() {
    #expect(wait("2/10s", []) == 0)
    #expect(wait("2/10s", [1]) == 0)
    #expect(wait("2/10s", [10_100, 1]) == 0)
  }

  @Test func `the next request waits until the oldest one has expired, with a margin`() {
    #expect(wait("2/10s", [9000, 1000]) == 1100)
    #expect(wait("2/10s", [1000, 9000]) == 1100)
    #expect(wait("2/10s", [9000, 8000, 1000]) == 2100)
    #expect(wait("2/10s", [10_050, 1000]) == 50)
  }

  @Test func `future times after a clock change count as now`() {
    #expect(wait("1/10s", [-5000]) == 10_100)
  }
}
