import SystemPackage
import Testing
import VmxSettings
@testable import VmxFetching
import VmxLibrary
import VmxEngine
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct TransferPoliciesTests {
  private let folder: ScratchFolder
  /// At noon.
  private let clock = FixedClock(Timestamp(seconds: 1_800_014_400))

  init() throws {
    folder = try ScratchFolder()
  }

  private func policies(_ values: [String] = [], waits: Bool = false) throws -> TransferPolicies {
    var settings = Settings()
    for value in ["library.reserve=0", "network.metered=no"] + values {
      try settings.add(parameter: value)
    }
    let fetch = try FetchSettings(
      settings, home: "/", environment: ["VMX_NETWORK": "home"], waits: waits)
    let store = try LibraryStore.open(LibraryHome(folder.path.appending("home")), clock: clock)
    return TransferPolicies(
      fetch, store: store,
      mediaRoots: MediaRoots(store: store, newFilesBelow: folder.path.appending("media")),
      environment: try testEnvironment(clock: clock), changes: ChangeSignal(),
      queue: WorkQueue(of: store, transfers: 1) { _ in 0 })
  }

  /// Returns a part with a source on this machine, which a lost network does not affect.
  private func part(hasBegun: Bool = false, missing: Int64? = 100) throws -> PolicySubject {
    var part = try subject(host: "127.0.0.1", missing: missing)
    part.folder = folder.path
    part.hasBegun = hasBegun
    return part
  }

  private func waits(
    _ policies: TransferPolicies, _ code: ErrorCode, after milliseconds: Int64? = nil,
    hasBegun: Bool = false
  ) throws -> Bool {
    let end = milliseconds.map { clock.now.adding(milliseconds: $0) }
    return try policies.waits(
      for: Failure(code, "held", retryAt: end), of: part(hasBegun: hasBegun))
  }

  @Test(arguments: [
    (["network.window=01:00-02:00"], ErrorCode.outsideWindow),
    (["library.quota=99"], .quotaReached), (["network.cap=1"], .capReached),
    (["fetch.max-bytes=1"], .budgetSpent), (["library.reserve=8000T"], .diskFull),
    (["network.metered=yes"], .networkMetered),
    (["network.metered=yes", "network.window=01:00-02:00"], .outsideWindow),
  ])
  func `each setting refuses with its own reason, the first in the list`(
    values: [String], code: ErrorCode
  ) throws {
    let policies = try policies(values)
    policies.handle(.received(1), of: try subject())
    #expect(try policies.admission(of: part())?.code == code)
    guard code != .quotaReached else { return }
    #expect(try policies.refusal(of: part(), in: .transfer)?.code == code)
  }

  @Test func `without restrictions a part starts and continues`() throws {
    let policies = try policies()
    #expect(try policies.admission(of: part()) == nil)
    #expect(try policies.refusal(of: part(), in: .transfer) == nil)
  }

  @Test func `a refusal releases the reservations of earlier policies`() throws {
    let policies = try policies(["library.quota=1000", "library.reserve=8000T"])
    #expect(try policies.admission(of: part(missing: 900))?.code == .diskFull)
    var other = try subject("t/b", host: "127.0.0.1", missing: 900)
    other.folder = folder.path
    // The disk refuses again, not the quota policy before it.
    #expect(try policies.admission(of: other)?.code == .diskFull)
  }

  @Test func `at a limit of the run only named episodes start`() throws {
    let policies = try policies(["fetch.max-bytes=10"])
    let id = try EpisodeID("t/a")
    #expect(policies.begin(id, isAsked: false))
    policies.handle(.received(10), of: try part())
    #expect(!policies.begin(id, isAsked: false))
    #expect(policies.begin(id, isAsked: true))
  }

  @Test(arguments: [ErrorCode.outsideWindow, .capReached])
  func `a refusal that ends soon is waited for`(code: ErrorCode) throws {
    #expect(try waits(policies(), code, after: 60_000))
    #expect(try !waits(policies(), code, after: 60_001))
    #expect(try !waits(policies(), code))
  }

  @Test func `with --wait a refusal is waited for up to a day`() throws {
    let policies = try policies(waits: true)
    #expect(try waits(policies, .outsideWindow, after: 86_400_000))
    #expect(try !waits(policies, .outsideWindow, after: 86_400_001))
    #expect(try waits(policies, .offline))
    #expect(try waits(policies, .networkMetered))
  }

  @Test func `an end at an unknown time is waited for while bytes arrive`() throws {
    let policies = try policies()
    #expect(try !waits(policies, .offline))
    #expect(try !waits(policies, .networkMetered, hasBegun: true))
    policies.handle(.received(1), of: try part())
    #expect(try waits(policies, .offline))
    #expect(try waits(policies, .networkMetered, hasBegun: true))
    // The part may be forbidden on this network while the others are allowed.
    #expect(try !waits(policies, .networkMetered))
  }

  @Test(arguments: [0, 59_999, 60_000])
  func `bytes count as arriving until the longest wait has passed`(idle: Int64) {
    let limits = WaitLimits(maxWait: 60_000, waits: false, now: clock.now, idle: idle)
    #expect(limits.allowsOpenWait(ifActive: true) == (idle < 60_000))
    #expect(!limits.allowsOpenWait(ifActive: false))
  }

  @Test(arguments: [ErrorCode.budgetSpent, .quotaReached, .diskFull, .hostUnreachable])
  func `a permanent refusal is not waited for`(code: ErrorCode) throws {
    let policies = try policies(waits: true)
    policies.handle(.received(1), of: try part())
    #expect(try !waits(policies, code, hasBegun: true))
  }
}
