import Testing
import VmxModel
import VmxSystem

@testable import VmxTransfer

/// Waits that servers request.
@Suite struct WaitingTests {
  @Test func `no request is sent before Retry-After has passed`() throws {
    let origin = try TestOrigin("/a.mp4 status:429 retry-after:1 times 1")
    try origin.serve("a.mp4", 1000)
    // No Retry-After is honoured for more than a tenth of a second.
    var settings = quick
    settings.retryAfterBelieved = 100
    try fetch(origin.job("a.mp4"), settings)
    let hits = try origin.hits(atLeast: 2)
    #expect(hits[1].milliseconds - hits[0].milliseconds >= 100)
  }

  @Test func `a server that penalises early requests is satisfied`() throws {
    let origin = try TestOrigin("/a.mp4 patience:1")
    let bytes = try origin.serve("a.mp4", 1000)
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits().allSatisfy { !$0.isEarly })
  }

  @Test(arguments: ["retry-after:3600", "retry-at:3600"])
  func `a long wait is left to a later run, with its time`(_ fault: String) throws {
    let origin = try TestOrigin("/a.mp4 status:503 \(fault)")
    let before = SystemClock().now.adding(milliseconds: 3_590_000)
    let error = #expect(throws: TransferError.self) { try fetch(origin.job("a.mp4")) }
    let until = try #require(error?.retryAt)
    #expect(until > before)
    #expect(until < before.adding(milliseconds: 60_000))
  }

  @Test func `a wait is limited to a day`() throws {
    let day: Int64 = 86_400_000
    for seconds in ["99999999999999999999", "9999999999"] {
      let origin = try TestOrigin("/a.mp4 status:503 retry-after:\(seconds)")
      let error = #expect(throws: TransferError.self) { try fetch(origin.job("a.mp4")) }
      let wait = try #require(error?.retryAt).milliseconds - SystemClock().now.milliseconds
      #expect(wait <= day)
      #expect(wait > day - 60_000)
    }
  }

  @Test(arguments: [
    "status:429 retry-after:0", "status:500 retry-after:0", "status:429 retry-at:-60",
  ])
  func `a time that is not in the future keeps the pauses between attempts`(_ fault: String) throws
  {
    let origin = try TestOrigin("/a.mp4 \(fault) times 2")
    let bytes = try origin.serve("a.mp4", 1000)
    let observer = TestObserver()
    try fetch(origin.job("a.mp4"), observer: observer)
    #expect(try origin.partial() == bytes)
    #expect(try origin.hits(atLeast: 3).count == 3)
  }

  @Test func `each retry is reported with its cause`() throws {
    let origin = try TestOrigin("/a.mp4 status:500 times 2")
    try origin.serve("a.mp4", 1000)
    let observer = TestObserver()
    try fetch(origin.job("a.mp4"), observer: observer)
    #expect(observer.retries.map(\.code) == [.httpFailing, .httpFailing])
    #expect(observer.retries.map(\.attempt) == [1, 2])
  }
}
