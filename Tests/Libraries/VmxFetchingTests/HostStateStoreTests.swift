import Testing
import VmxModel
import VmxSettings
import VmxStore
import VmxTestSupport
import VmxTransfer

@testable import VmxFetching

struct HostStateStoreTests {
  private let folder: ScratchFolder
  private let steps = StepClock()
  private let clock = FixedClock()
  private let host = HostName(host: "example.org", port: "443")

  init() throws {
    folder = try ScratchFolder()
  }

  private func ledger(isDryRun: Bool = false, cache: String? = nil) throws -> HostStateStore {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: clock)
    let environment = try testEnvironment(
      clock: clock, steps: steps,
      variables: ["XDG_CACHE_HOME": cache ?? "\(folder.path)/cache"])
    return HostStateStore(
      isDryRun ? store.dryRun : store, settings: TransferSettings(), environment: environment)
  }

  private func records() throws -> [String] {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: clock)
    var ids: [String] = []
    try store.snapshot().records(of: .host) { record in
      ids.append(record.id)
      return true
    }
    return ids
  }

  private func penalty(_ milliseconds: Int64) -> HostPenalty {
    HostPenalty(
      until: clock.now.adding(milliseconds: milliseconds), status: 429,
      url: "https://example.org/a")
  }

  private func url(_ key: UInt64, port: String = "443") -> HostedURL {
    HostedURL(host: HostName(host: "example.org", port: port), key: key)
  }

  private func pass(_ milliseconds: Int64) {
    steps.pass(milliseconds)
    clock.advance(milliseconds: milliseconds)
  }

  @Test func `a penalty of one process is seen by another within half a second`() throws {
    let (one, two) = (try ledger(), try ledger())
    #expect(two.penalty(of: url(1)) == nil)
    let penalty = penalty(60_000)
    one.recordPenalty(penalty, of: url(1), isForAll: true)
    #expect(one.penalty(of: url(1)) == penalty)
    pass(500)
    #expect(two.penalty(of: url(1)) == penalty)
    #expect(two.penalty(of: url(2)) == penalty)
    #expect(two.penalty(of: url(2, port: "80")) == nil)
  }

  @Test func `the refusal of one URL does not affect the others`() throws {
    let (one, two) = (try ledger(), try ledger())
    one.recordPenalty(penalty(60_000), of: url(1), isForAll: false)
    one.recordPenalty(penalty(50_000), of: url(1), isForAll: false)
    #expect(two.penalty(of: url(1)) == penalty(50_000))
    #expect(two.penalty(of: url(2)) == nil)
  }

  @Test func `a penalty expires, and a shorter one does not shorten it`() throws {
    let ledger = try ledger()
    let long = penalty(60_000)
    ledger.recordPenalty(long, of: url(1), isForAll: true)
    ledger.recordPenalty(penalty(1000), of: url(1), isForAll: true)
    #expect(ledger.penalty(of: url(1)) == long)
    pass(60_000)
    #expect(ledger.penalty(of: url(1)) == nil)
  }

  @Test func `a penalty of more than a day is ignored`() throws {
    let ledger = try ledger()
    ledger.recordPenalty(penalty(25 * 3600 * 1000), of: url(1), isForAll: true)
    #expect(ledger.penalty(of: url(1)) == nil)
  }

  @Test func `processes share the pace of a busy host`() throws {
    let (one, two) = (try ledger(), try ledger())
    #expect(one.reserveRequest(of: host) == 0)
    let slowed = one.slowDown(host, sent: clock.now)
    #expect(slowed.delay == 500)
    #expect(!slowed.wasSlowest)
    pass(500)
    #expect(two.reserveRequest(of: host) == 0)
    #expect(two.reserveRequest(of: host) == 500)
    #expect(two.delay(of: HostName(host: "other.org", port: "443")) == 0)
  }

  @Test func `all processes together spend one budget`() throws {
    let (one, two) = (try ledger(), try ledger())
    let budget = try #require(CallBudget("2/10s"))
    #expect(one.countRequest(of: host, within: budget) == nil)
    pass(4000)
    #expect(two.countRequest(of: host, within: budget) == nil)
    #expect(one.countRequest(of: host, within: budget) == 6100)
    pass(6100)
    #expect(one.countRequest(of: host, within: budget) == nil)
    #expect(two.countRequest(of: host, within: budget) == 4000)
  }

  // A clock that was a year ahead would block the host for a year.
  @Test func `requests of a wrong clock spend no budget`() throws {
    let (one, two) = (try ledger(), try ledger())
    let budget = try #require(CallBudget("2/10s"))
    pass(31_536_000_000)
    #expect(one.countRequest(of: host, within: budget) == nil)
    #expect(one.countRequest(of: host, within: budget) == nil)
    pass(-31_536_000_000)
    #expect(two.countRequest(of: host, within: budget) == nil)
    #expect(two.countRequest(of: host, within: budget) == nil)
    #expect(two.countRequest(of: host, within: budget) == 10_100)
  }

  // A dry run wrote the times of its requests, and the refusals, into the library.
  @Test func `a dry run spends the same budget and records nothing`() throws {
    let (planned, other) = (try ledger(isDryRun: true), try ledger())
    let budget = try #require(CallBudget("2/10s"))
    #expect(planned.countRequest(of: host, within: budget) == nil)
    #expect(other.countRequest(of: host, within: budget) == nil)
    #expect(planned.countRequest(of: host, within: budget) == 10_100)
    let penalty = penalty(60_000)
    planned.recordPenalty(penalty, of: url(1), isForAll: true)
    #expect(planned.penalty(of: url(1)) == penalty)
    #expect(planned.slowDown(host, sent: clock.now).delay > 0)
    #expect(planned.reserveRequest(of: host) > 0)
    planned.speedUp(host)
    #expect(try records() == [])
    #expect(other.penalty(of: url(1)) == nil)
  }

  @Test func `without a cache each process counts its own requests`() throws {
    let (one, two) = (
      try ledger(cache: "/dev/null"), try ledger(cache: "/dev/null")
    )
    let budget = try #require(CallBudget("1/10s"))
    #expect(one.countRequest(of: host, within: budget) == nil)
    #expect(one.countRequest(of: host, within: budget) == 10_100)
    #expect(two.countRequest(of: host, within: budget) == nil)
  }

  @Test func `unknown fields in the record of a host are preserved`() throws {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: clock)
    var fields = JSONObject()
    fields.append("note", "ours")
    fields.append("calls", .array([]))
    try store.update(.soon) {
      $0.write(StoredRecord(kind: .host, id: "example.org:443", fields: fields))
    }
    try ledger().recordPenalty(penalty(1000), of: url(1), isForAll: true)
    let record = try store.snapshot().record(.host, "example.org:443")
    #expect(record?.fields["note"]?.string == "ours")
    #expect(record?.fields["quiet_until"]?.string == penalty(1000).until.text)
    #expect(record?.fields["calls"] == nil)
  }
}
