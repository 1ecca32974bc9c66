import Glibc
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// All parts wait when one part has received Retry-After.
@Suite struct HostQuietTests {
  @Test func `no part asks a host before its Retry-After is over`() throws {
    let origin = try TestOrigin("/a.mp4 status:503 retry-after:1 times 1")
    try origin.serve("a.mp4", 1000)
    try origin.serve("b.mp4", 1000)
    // A second is believed for a fifth.
    var settings = quick
    settings.retryAfterBelieved = 200
    let engine = try TransferEngine(settings, clock: SystemClock())
    defer { engine.stop() }
    let first = try origin.job("a.mp4")
    let observer = TestObserver()
    let thread = try WorkerThread.start("first") {
      // The test reads the result in the log of the origin.
      _ = try? engine.run(first, observer: observer)
    }
    let end = Deadline.nowMilliseconds + 10_000
    while observer.retries.isEmpty, Deadline.nowMilliseconds < end { usleep(1000) }
    var second = try origin.job("b.mp4")
    second.partial = origin.scratch.path("partial/b.part")
    second.resume = origin.scratch.path("partial/b.part.json")
    _ = try engine.run(second, observer: TestObserver())
    thread.join()
    let hits = try origin.hits(atLeast: 3)
    #expect(hits.dropFirst().allSatisfy { $0.milliseconds - hits[0].milliseconds >= 200 })
  }

  @Test func `a wait that is not sat through is told without a request`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:3600")
    try origin.serve("b.mp4", 1000)
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    for name in ["a.mp4", "b.mp4"] {
      var job = try origin.job(name)
      job.partial = origin.scratch.path("partial/\(name).part")
      job.resume = origin.scratch.path("partial/\(name).part.json")
      let error = #expect(throws: TransferError.self) {
        try engine.run(job, observer: TestObserver())
      }
      #expect(error?.code == .rateLimited)
      #expect(error?.retryAt != nil)
    }
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/a.mp4"])
  }

  @Test func `another host is asked meanwhile`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:3600")
    let bytes = try origin.serve("b.mp4", 1000)
    // A second is believed for a fifth.
    var settings = quick
    settings.retryAfterBelieved = 200
    let engine = try TransferEngine(settings, clock: SystemClock())
    defer { engine.stop() }
    let first = try origin.job("a.mp4")
    #expect(throws: TransferError.self) { try engine.run(first, observer: TestObserver()) }
    let second = try origin.job("http://127.0.0.1:\(origin.secondPort)/b.mp4")
    _ = try engine.run(second, observer: TestObserver())
    #expect(try origin.partial() == bytes)
  }
}
