import Testing
@testable import VmxFetching
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct CapPolicyTests {
  private let folder: ScratchFolder
  private let clock = StepClock()
  private let wall = FixedClock(Timestamp(seconds: 1_800_000_000))

  init() throws {
    folder = try ScratchFolder()
  }

  private func store() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
  }

  /// Returns the policy as another process would create it.
  private func policy(cap: Int64? = nil, named name: String? = "home") throws -> CapPolicy {
    let environment = try testEnvironment(clock: wall, steps: clock)
    let network = NetworkMonitor(
      .decided(MeteredVerdict(.no, .configured("network.metered"))), configuredName: name,
      environment: environment,
      changes: ChangeSignal())
    return CapPolicy(
      cap.map { ByteCount(clamping: $0) }, network: network, store: try store(),
      environment: environment)
  }

  private func isReached(_ policy: CapPolicy) throws -> Bool {
    try policy.refusal(of: subject(), in: .transfer) != nil
  }

  private func receive(_ bytes: Int64, _ policy: CapPolicy) throws {
    policy.handle(.received(bytes), of: try subject())
  }

  private func months() throws -> JSONObject? {
    try store().snapshot().record(.network, "home")?.fields["months"]?.object
  }

  @Test func `a size beyond the rest of the month is refused, and not waited for`()
    throws
  {
    let policy = try policy(cap: 100)
    try receive(60, policy)
    #expect(try policy.refusal(of: subject(missing: nil), in: .admission) == nil)
    let refusal = try #require(try policy.refusal(of: subject(missing: 41), in: .announced))
    #expect(refusal.code == .capReached && refusal.summary.contains("40 B left of"))
    let limits = WaitLimits(maxWait: .max, waits: true, now: wall.now, idle: nil)
    #expect(try !policy.waits(for: refusal, of: subject(), limits))
    #expect(try policy.refusal(of: subject("t/a", missing: 30), in: .announced) == nil)
    #expect(try policy.refusal(of: subject("t/b", missing: 11), in: .announced) != nil)
    policy.handle(.ended, of: try subject("t/a"))
    #expect(try policy.refusal(of: subject("t/b", missing: 11), in: .announced) == nil)
  }

  @Test func `bytes are recorded after an interval, and at the end`() throws {
    let policy = try policy()
    try receive(100, policy)
    #expect(try months() == nil)
    clock.pass(2000)
    try receive(10, policy)
    #expect(try months()?["2027-01"]?.integer == 110)
    try receive(5, policy)
    try policy.close()
    #expect(try months()?["2027-01"]?.integer == 115)
  }

  @Test func `many bytes are recorded before the interval is over`() throws {
    try receive(16 << 20, policy())
    #expect(try months()?["2027-01"]?.integer == 16 << 20)
  }

  @Test func `processes add their bytes, and see each other within two seconds`() throws {
    let (one, two) = (try policy(cap: 101), try policy(cap: 101))
    try receive(100, one)
    #expect(try !isReached(one))
    try one.close()
    try receive(1, two)
    #expect(try isReached(two))
    try two.close()
    clock.pass(2000)
    #expect(try isReached(one))
  }

  @Test func `a year of months is kept separately`() throws {
    let policy = try policy()
    for month in 0...12 {
      try receive(Int64(month + 1), policy)
      wall.advance(milliseconds: 31 * 86_400_000)
    }
    try policy.close()
    let kept = try #require(try months())
    #expect(kept.fields.count == 12)
    #expect(kept["2027-01"] == nil)
    #expect(kept["2027-02"]?.integer == 2)
    #expect(kept["2028-01"]?.integer == 13)
  }

  @Test func `loopback counts only over a network that the user has named`() throws {
    let local = try subject(host: "127.0.0.1")
    let nameless = try policy(named: nil)
    nameless.handle(.received(1), of: local)
    try nameless.close()
    #expect(try store().snapshot().record(.network, "default") == nil)
    let named = try policy()
    named.handle(.received(1), of: local)
    try named.close()
    #expect(try months()?["2027-01"]?.integer == 1)
  }

  @Test func `the cap holds until the end of the month`() throws {
    let policy = try policy(cap: 1000)
    try receive(999, policy)
    #expect(try !isReached(policy))
    try receive(1, policy)
    let refusal = try #require(try policy.refusal(of: subject(), in: .transfer))
    #expect(refusal.code == .capReached)
    #expect(refusal.retryAt?.text == "2027-02-01T00:00:00.000Z")
    wall.advance(milliseconds: try #require(refusal.retryAt).milliseconds - wall.now.milliseconds)
    #expect(try !isReached(policy))
  }
}
