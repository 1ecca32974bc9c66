import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

/// The requests that wait after a server has refused one.
@Suite struct HostQuietTests {
  private func job(_ name: String, _ origin: TestOrigin) throws -> TransferJob {
    var job = try origin.job(name)
    job.partial = origin.scratch.path("partial/\(name).part")
    job.resume = origin.scratch.path("partial/\(name).part.json")
    return job
  }

  /// Returns the outcome of each file in turn; nil for one that was received.
  private func outcomes(
    _ origin: TestOrigin, _ names: [String], _ change: (inout TransferJob) -> Void = { _ in }
  ) throws -> [TransferError?] {
    let engine = try TransferEngine(quick, clock: SystemClock())
    defer { engine.stop() }
    return try names.map { name in
      var job = try job(name, origin)
      change(&job)
      do throws(TransferError) {
        _ = try engine.run(job, observer: TestObserver())
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `one refused URL does not delay the others`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:3600")
    try origin.serve("b.mp4", 1000)
    let errors = try outcomes(origin, ["a.mp4", "b.mp4", "a.mp4"])
    #expect(errors.map { $0?.code } == [.rateLimited, nil, .rateLimited])
    // The origin logs a request when its response is sent, so two connections may be swapped.
    #expect(try origin.hits(atLeast: 2).map(\.path).sorted() == ["/a.mp4", "/b.mp4"])
  }

  @Test func `a second refused URL within a minute delays the host, and is reported`() throws {
    let origin = try TestOrigin(
      "/a.mp4 status:503 retry-after:3600", "/b.mp4 status:503 retry-after:3600")
    try origin.serve("c.mp4", 1000)
    let errors = try outcomes(origin, ["a.mp4", "b.mp4", "c.mp4"])
    #expect(errors.map { $0?.code } == [.rateLimited, .rateLimited, .rateLimited])
    #expect(errors[2]?.summary.contains("/b.mp4") == true)
    #expect(errors[2]?.retryAt != nil)
  }

  @Test func `a RateLimit policy delays the host immediately`() throws {
    let origin = try TestOrigin(
      "/a.mp4 status:429 retry-after:3600 header:RateLimit=%22default%22;r=0;t=3600")
    try origin.serve("b.mp4", 1000)
    let errors = try outcomes(origin, ["a.mp4", "b.mp4"])
    #expect(errors.map { $0?.code } == [.rateLimited, .rateLimited])
    #expect(try origin.hits(atLeast: 1).map(\.path) == ["/a.mp4"])
  }

  @Test func `an episode named by the user sends one request nevertheless`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:3600")
    let errors = try outcomes(origin, ["a.mp4", "a.mp4"]) { $0.ignoresRetryAfter = true }
    #expect(errors.map { $0?.code } == [.rateLimited, .rateLimited])
    #expect(try origin.hits(atLeast: 2).count == 2)
  }

  @Test func `another host is not delayed`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:3600")
    let bytes = try origin.serve("b.mp4", 1000)
    // No Retry-After is honoured for more than a fifth of a second.
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
