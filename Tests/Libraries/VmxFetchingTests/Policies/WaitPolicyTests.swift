import Testing
import VmxFetching
import VmxModel

struct WaitPolicyTests {
  private let now = Timestamp(seconds: 1_800_000_000)

  private func sits(
    _ code: ErrorCode, until: Int64? = nil, idle: Int64? = nil, waits: Bool = false
  ) -> Bool {
    let patience = WaitPolicy(longestWait: 60_000, waits: waits)
    let failure = Failure(code, "held", retryAt: until.map { now.adding(milliseconds: $0) })
    return patience.waits(for: failure, now: now, idle: idle)
  }

  @Test func `what ends soon is sat through`() {
    #expect(sits(.outsideWindow, until: 60_000))
    #expect(!sits(.outsideWindow, until: 60_001))
    #expect(!sits(.quotaReached, idle: 0))
  }

  @Test func `who waits sits through a day, but no more`() {
    #expect(sits(.outsideWindow, until: 86_400_000, waits: true))
    #expect(!sits(.outsideWindow, until: 86_400_001, waits: true))
    #expect(!sits(.quotaReached, waits: true))
  }

  @Test func `a hold without a known end is waited for while bytes came a minute ago`() {
    #expect(!sits(.offline))
    #expect(sits(.offline, idle: 59_999))
    #expect(!sits(.offline, idle: 60_000))
    #expect(sits(.offline, waits: true))
  }

  @Test func `what waiting does not mend is not sat through`() {
    #expect(!sits(.budgetSpent, until: 1, idle: 0, waits: true))
    #expect(!sits(.diskFull, until: 1, idle: 0, waits: true))
    #expect(!sits(.hostUnreachable, until: 1, idle: 0, waits: true))
  }
}
