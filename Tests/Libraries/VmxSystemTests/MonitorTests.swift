import Testing

@testable import VmxSystem

@Suite struct MonitorTests {
  @Test func `waiting for what never comes ends with the time`() {
    #expect(!Monitor(0).wait(milliseconds: 1) { $0 == 1 })
  }

  @Test func `waiting ends with the change that was waited for`() throws {
    let monitor = Monitor(0)
    let thread = try WorkerThread.start("counter") {
      for _ in 0..<10 { monitor.withLock { $0 += 1 } }
    }
    #expect(monitor.wait(milliseconds: 600_000) { $0 == 10 })
    thread.join()
  }

  @Test func `many threads change it one at a time`() throws {
    let monitor = Monitor(0)
    let threads = try (0..<4).map { _ in
      try WorkerThread.start("counter") { for _ in 0..<1000 { monitor.withLock { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(monitor.withLock { $0 } == 4000)
  }
}
