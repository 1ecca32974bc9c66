import Testing
import VmxModel
import VmxStore
import VmxTestSupport
import VmxTransfer

@testable import VmxFetching

/// The hosts to which a run may send requests at the same time.
struct HostAdmissionTests {
  private let folder: ScratchFolder
  private let steps = StepClock()
  private let clock = FixedClock()

  init() throws {
    folder = try ScratchFolder()
  }

  private func host(_ name: String) -> HostName { HostName(host: name, port: "80") }

  private func gate(jobs: Int, hostLimit: Int64 = 16) throws -> (HostAdmission, HostStateStore) {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: clock)
    let environment = try testEnvironment(clock: clock, steps: steps)
    let memory = HostStateStore(store, settings: TransferSettings(), environment: environment)
    return (HostAdmission(jobs: jobs, hostLimit: hostLimit, memory, environment), memory)
  }

  @Test func `at most half of the slots wait for a silent host`() throws {
    let (gate, _) = try gate(jobs: 4)
    let grants = (0..<4).map { _ in gate.acquire(host("dead")) }
    #expect(grants.map { $0 != nil } == [true, true, false, false])
    _ = gate.release(try #require(grants[0]))
    #expect(gate.acquire(host("dead")) != nil)
  }

  @Test func `a host that has responded gets all slots`() throws {
    let (gate, _) = try gate(jobs: 3)
    let first = try #require(gate.acquire(host("good")))
    #expect(gate.acquire(host("good")) == nil)
    _ = gate.recordResponse(host("good"))
    #expect(gate.acquire(host("good")) != nil)
    #expect(gate.acquire(host("good")) != nil)
    #expect(!gate.isTrialOver(first))
  }

  @Test func `another host is tried for a short time`() throws {
    let (gate, _) = try gate(jobs: 3)
    #expect(gate.acquire(host("dead")) != nil)
    let grant = try #require(gate.acquire(host("slow")))
    #expect(!gate.isTrialOver(grant))
    steps.pass(2000)
    #expect(gate.isTrialOver(grant))
    _ = gate.release(grant)
    #expect(gate.acquire(host("slow")) == nil)
    #expect(gate.delay(of: host("slow")) == 5000)
    steps.pass(5000)
    let again = try #require(gate.acquire(host("slow")))
    _ = gate.recordResponse(host("slow"))
    steps.pass(2000)
    #expect(!gate.isTrialOver(again))
  }

  @Test func `a host keeps its own limit and pace`() throws {
    let (gate, memory) = try gate(jobs: 9, hostLimit: 1)
    _ = gate.recordResponse(host("one"))
    let grant = try #require(gate.acquire(host("one")))
    #expect(gate.delay(of: host("one")) == .max)
    #expect(gate.release(grant))
    #expect(gate.delay(of: host("one")) == 0)
    _ = memory.slowDown(host("one"), sent: clock.now)
    #expect(gate.delay(of: host("one")) == 500)
  }

  // Regression: with as many transfers as connections to a host, every further worker of the run
  // was sent back to the queue instead of waiting for a permit.
  @Test func `the limit of a host applies only if the run may exceed it`() throws {
    for (jobs, isLimited) in [(16, false), (17, true)] {
      let (gate, _) = try gate(jobs: jobs, hostLimit: 16)
      _ = gate.recordResponse(host("good"))
      for _ in 0..<16 { #expect(gate.acquire(host("good")) != nil) }
      #expect((gate.acquire(host("good")) == nil) == isLimited)
    }
  }

  @Test func `a release or a response wakes only those that a delay holds`() throws {
    let (gate, _) = try gate(jobs: 2)
    let grant = try #require(gate.acquire(host("dead")))
    #expect(!gate.recordResponse(host("good")))
    #expect(gate.delay(of: host("dead")) == .max)
    #expect(gate.recordResponse(host("dead")))
    #expect(!gate.release(grant))
  }

  @Test func `a host that a transfer abandoned counts as dead until it responds`() throws {
    let (gate, _) = try gate(jobs: 3)
    gate.recordAbandonment(host("dead"))
    #expect(gate.isUnresponsive(host("dead")))
    _ = gate.recordResponse(host("dead"))
    #expect(!gate.isUnresponsive(host("dead")))
    gate.recordAbandonment(host("dead"))
    #expect(!gate.isUnresponsive(host("dead")))
  }
}
