import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxFetching

struct CapPolicyTests {
  private let folder: ScratchFolder
  private let clock = StepClock()
  private let november = NetworkLedger.Account(network: "home", month: "2026-11")

  init() throws {
    folder = try ScratchFolder()
  }

  private func store() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
  }

  private func ledger() throws -> NetworkLedger {
    NetworkLedger(try store(), moment: { [clock] in clock.now })
  }

  private func months() throws -> JSONObject? {
    try store().snapshot().record(.network, "home")?.fields["months"]?.object
  }

  @Test func `bytes are written when time has passed, and at the end`() throws {
    let ledger = try ledger()
    try ledger.add(100, to: november)
    #expect(try months() == nil)
    clock.pass(2000)
    try ledger.add(10, to: november)
    #expect(try months()?["2026-11"]?.integer == 110)
    try ledger.add(5, to: november)
    try ledger.write()
    #expect(try months()?["2026-11"]?.integer == 115)
  }

  @Test func `many bytes do not wait for the time`() throws {
    try ledger().add(16 << 20, to: november)
    #expect(try months()?["2026-11"]?.integer == 16 << 20)
  }

  @Test func `processes add up, and see each other`() throws {
    let (one, two) = (try ledger(), try ledger())
    try one.add(100, to: november)
    #expect(try one.total(november) == 100)
    try one.write()
    try two.add(1, to: november)
    #expect(try two.total(november) == 101)
    try two.write()
    clock.pass(2000)
    #expect(try one.total(november) == 101)
  }

  @Test func `a year of months is kept, each by itself`() throws {
    let ledger = try ledger()
    for month in 10...22 {
      try ledger.add(Int64(month), to: .init(network: "home", month: "20\(month)-01"))
    }
    try ledger.write()
    let kept = try #require(try months())
    #expect(kept.fields.count == 12)
    #expect(kept["2010-01"] == nil)
    #expect(kept["2022-01"]?.integer == 22)
  }

  @Test func `the cap holds until the month is over`() throws {
    var settings = PolicySettings()
    settings.metered = .given(MeteredVerdict(.no, .given("network.metered")))
    settings.networkName = "home"
    let wall = FixedClock(Timestamp(seconds: 1_800_000_000))
    let environment = try testEnvironment(clock: wall)
    let policy = CapPolicy(
      ByteCount(1000), NetworkMonitor(settings, environment, ChangeSignal()), try ledger(),
      environment)
    let part = try subject()
    policy.handle(.received(999), of: part)
    #expect(try policy.refusal(of: part, in: .transfer) == nil)
    policy.handle(.received(1), of: part)
    let refusal = try #require(try policy.refusal(of: part, in: .transfer))
    #expect(refusal.code == .capReached)
    #expect(refusal.retryAt?.text == "2027-02-01T00:00:00.000Z")
    wall.advance(milliseconds: try #require(refusal.retryAt).milliseconds - wall.now.milliseconds)
    #expect(try policy.refusal(of: part, in: .transfer) == nil)
  }
}
