@testable import VmxRemoving
import Testing
import VmxModel

@Suite struct TrashPlanTests {
  private let now = Timestamp(seconds: 1_000_000)
  private let disk = ByteCount(clamping: 1000)

  private func names(
    _ entries: [TrashPlan.Entry], keep: Int64 = 3_600_000, quota: DiskQuota = .percent(10),
    reserve: Int64 = 0, free: Int64 = 500, target: Int64? = nil
  ) -> [String?] {
    let rules = TrashRules(keep: keep, quota: quota, reserve: ByteCount(clamping: reserve))
    return TrashPlan(rules, in: "r", now: now).steps(
      entries, disk: disk, free: ByteCount(clamping: free),
      target: target.map { ByteCount(clamping: $0) }
    ).steps.map(\.name)
  }

  private func held(_ name: String, secondsAgo: Int64, _ bytes: Int64 = 10) -> TrashPlan.Entry {
    TrashPlan.Entry(name: name, at: now.adding(milliseconds: -secondsAgo * 1000), bytes: bytes)
  }

  @Test func `what has been there for too long goes`() {
    #expect(names([held("old", secondsAgo: 3601), held("new", secondsAgo: 3599)]) == ["old"])
  }

  @Test func `what is above the quota goes, the oldest first`() {
    let entries = [
      held("a", secondsAgo: 30, 60), held("b", secondsAgo: 20, 60), held("c", secondsAgo: 10, 60),
    ]
    #expect(names(entries) == ["a", "b"])
  }

  @Test func `a quota of nothing empties the trash`() {
    #expect(names([held("a", secondsAgo: 1)], quota: .bytes(ByteCount(clamping: 0))) == ["a"])
  }

  @Test func `where space is short the trash goes before its time`() {
    let entries = [held("a", secondsAgo: 30, 40), held("b", secondsAgo: 20, 40)]
    #expect(names(entries, reserve: 530, free: 500) == ["a"])
  }

  @Test func `room that is asked for is made of the trash`() {
    let entries = [held("a", secondsAgo: 30, 40), held("b", secondsAgo: 20, 40)]
    #expect(names(entries, free: 500, target: 560) == ["a", "b"])
  }
}
