import Synchronization
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxFetching

struct NetworkPolicyTests {
  /// A machine whose routes a test takes away.
  private final class Routes: Sendable {
    private let gone = Mutex<Set<String>>([])

    func lose(_ host: String) { gone.withLock { _ = $0.insert(host) } }
    func regain(_ host: String) { gone.withLock { _ = $0.remove(host) } }
    func leads(_ host: String) -> Bool { gone.withLock { !$0.contains(host) } }
  }

  private let folder: ScratchFolder
  private let clock = StepClock()
  private let routes = Routes()
  private let now = Timestamp(seconds: 1_800_000_000)

  init() throws {
    folder = try ScratchFolder()
  }

  private func policy(
    _ word: MeteredVerdict.Word = .no, marked: Bool = false,
    _ change: (inout PolicySettings) -> Void = { _ in }
  ) throws -> NetworkPolicy {
    var settings = PolicySettings()
    settings.metered = .given(MeteredVerdict(word, .given("network.metered")))
    settings.networkName = "home"
    change(&settings)
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
    let source = NetworkSource(
      metered: settings.metered, name: settings.networkName,
      programs: ProgramAnswer { _, _, _ in nil })
    return NetworkPolicy(
      settings, source: source, ledger: NetworkLedger(store, moment: { [clock] in clock.now }),
      zone: FixedZone(), moment: { [clock] in clock.now },
      leads: { [routes] in routes.leads($0) }, marks: { _ in marked })
  }

  private func part(_ host: String = "192.0.2.1") throws -> PolicySubject {
    PolicySubject(episode: try EpisodeID("t/a"), part: "video", hosts: [host])
  }

  @Test func `a metered network refuses what is neither allowed nor marked`() throws {
    #expect(try policy(.yes).refusal(of: part(), now: now)?.code == .networkMetered)
    #expect(try policy(.yes) { $0.allowsMetered = true }.refusal(of: part(), now: now) == nil)
    #expect(try policy(.yes, marked: true).refusal(of: part(), now: now) == nil)
    #expect(try policy(.unknown).refusal(of: part(), now: now) == nil)
  }

  @Test func `the cap holds until the month is over`() throws {
    let policy = try policy { $0.cap = ByteCount(1000) }
    policy.received(999, of: try part(), now: now)
    #expect(try policy.refusal(of: part(), now: now) == nil)
    policy.received(1, of: try part(), now: now)
    let refusal = try #require(try policy.refusal(of: part(), now: now))
    #expect(refusal.code == .capReached)
    #expect(refusal.retryAt?.text == "2027-02-01T00:00:00.000Z")
    let february = try #require(refusal.retryAt)
    #expect(try policy.refusal(of: part(), now: february) == nil)
  }

  @Test func `an address without a route is offline until there is one`() throws {
    let policy = try policy()
    clock.pass(5000)
    #expect(try policy.refusal(of: part(), now: now) == nil)
    routes.lose("192.0.2.1")
    clock.pass(999)
    #expect(try policy.refusal(of: part(), now: now) == nil)
    clock.pass(1)
    #expect(try policy.refusal(of: part(), now: now)?.code == .offline)
    routes.regain("192.0.2.1")
    clock.pass(1000)
    #expect(try policy.refusal(of: part(), now: now) == nil)
  }

  @Test func `a name is looked at only after a failure`() throws {
    let policy = try policy()
    routes.lose("example.org")
    clock.pass(5000)
    #expect(try policy.refusal(of: part("example.org"), now: now) == nil)
    policy.failed(try part("example.org"))
    #expect(try policy.refusal(of: part("example.org"), now: now)?.code == .offline)
    routes.regain("example.org")
    clock.pass(5000)
    #expect(try policy.refusal(of: part("example.org"), now: now) == nil)
    policy.failed(try part("example.org"))
    #expect(try policy.refusal(of: part("example.org"), now: now) == nil)
  }

  @Test func `losses without a byte between are looked at ever less often`() throws {
    let policy = try policy()
    let part = try part()
    let pauses = (0..<7).map { _ in policy.pause(afterLossOf: part) }
    #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    policy.received(1, of: part, now: now)
    #expect(policy.pause(afterLossOf: part) == 1000)
  }

  @Test(arguments: [
    ("127.0.0.1", true, true), ("127.9.9.9", true, true), ("localhost", true, false),
    ("[::1]", true, true), ("127.example.org", false, false), ("10.0.0.1", false, true),
    ("[2001:db8::1]", false, true), ("127.0.0.1.example.org", false, false),
  ])
  func `loopback is told from other hosts`(
    host: String, isLoopback: Bool, hasAddress: Bool
  ) throws {
    let subject = PolicySubject(episode: try EpisodeID("t/a"), part: "video", hosts: [host])
    #expect(subject.isLoopback == isLoopback)
    #expect(subject.hasAddress == hasAddress)
  }
}
