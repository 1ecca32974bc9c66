import SystemPackage
import Testing
import VmxEngine
import VmxLibrary
import VmxModel
import VmxSettings
import VmxStore
import VmxSystem
import VmxTestSupport
import VmxTransfer

@testable import VmxFetching

/// The start of transfers, in one process without a network.
struct TransferSchedulerTests {
  private let folder: ScratchFolder
  private let clock = FixedClock()

  init() throws {
    folder = try ScratchFolder()
  }

  private func scheduler(_ values: [String]) throws -> TransferScheduler {
    var settings = Settings()
    for value in ["library.reserve=0", "network.metered=no"] + values {
      try settings.add(parameter: value)
    }
    let fetch = try FetchSettings(
      settings, home: "/", environment: ["VMX_NETWORK": "home"], waits: false)
    let store = try LibraryStore.open(LibraryHome(folder.path.appending("home")), clock: clock)
    let environment = try testEnvironment(clock: clock)
    let scheduler = TransferScheduler(
      fetch, store: store,
      mediaRoots: MediaRoots(store: store, newFilesBelow: folder.path.appending("media")),
      environment: environment,
      memory: HostStateStore(store, settings: fetch.transfer, environment: environment))
    scheduler.markWanted(try part().episode)
    return scheduler
  }

  /// Returns a part with a source on this machine.
  private func part(host: String = "127.0.0.1") throws -> PolicySubject {
    var part = try subject(host: host, missing: 100)
    part.servers = [HostName(host: host, port: "80")]
    part.folder = folder.path
    return part
  }

  @Test func `a part starts once all resources admit it`() throws {
    let scheduler = try scheduler([])
    guard case .start = try scheduler.admit(part(), measure: { _ in }) else {
      Issue.record("the part does not start")
      return
    }
    try scheduler.permit(for: part()).end()
  }

  @Test func `a part of a full host goes back to the queue, also for its permit`() throws {
    let scheduler = try scheduler(["fetch.jobs=4", "fetch.per-host=1"])
    let permit = try scheduler.permit(for: part())
    guard case .later(let reason) = try scheduler.admit(part(), measure: { _ in }) else {
      Issue.record("the part does not wait for its host")
      return
    }
    #expect(reason.code == .rateLimited)
    #expect(throws: WorkEnded.self) { try scheduler.permit(for: part()) }
    permit.end()
    try scheduler.permit(for: part()).end()
  }

  @Test(.timeLimit(.minutes(1)))
  func `a transfer waits for the slots that another one releases`() throws {
    let scheduler = try scheduler(["fetch.jobs=1"])
    let first = try scheduler.permit(for: part())
    scheduler.recordResponse(HostName(host: "127.0.0.1", port: "80"))
    let waiting = try WorkerThread.start("waiting") {
      do {
        try scheduler.permit(for: part()).end()
      } catch {
        Issue.record(error)
      }
    }
    // All bytes have arrived; the place at the host stays until the end.
    first.releaseSlots()
    waiting.join()
    // The slots were released only once: there are not two now.
    first.end()
    let second = try scheduler.permit(for: part())
    #expect(scheduler.limiter.freeCount == 0)
    second.end()
    #expect(scheduler.limiter.freeCount == 1)
  }

  @Test func `a permit follows its transfer to the host of another source`() throws {
    let scheduler = try scheduler(["fetch.jobs=4", "fetch.per-host=1"])
    let permit = try scheduler.permit(for: part())
    let other = try scheduler.permit(for: part(host: "127.0.0.2"))
    #expect(permit.move(to: "http://127.0.0.2/a")?.code == .rateLimited)
    other.end()
    #expect(permit.move(to: "http://127.0.0.2/a") == nil)
    // The place at the first host is free.
    #expect(scheduler.hosts.delay(of: HostName(host: "127.0.0.1", port: "80")) == 0)
    permit.end()
  }
}
