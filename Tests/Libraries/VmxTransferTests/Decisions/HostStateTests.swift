import Testing
import VmxModel

@testable import VmxTransfer

/// The requests that are allowed after a host has refused some.
@Suite struct HostStateTests {
  private let now = Timestamp(seconds: 1_700_000_000)
  private let limits: HostPace.Limits
  private let none = HostResponses()

  init() {
    var settings = TransferSettings()
    settings.backoffBase = 100
    limits = HostPace.Limits(settings)
  }

  private func at(_ milliseconds: Int64) -> Timestamp { now.adding(milliseconds: milliseconds) }

  private func penalty(_ milliseconds: Int64) -> HostPenalty {
    HostPenalty(until: at(milliseconds), status: 503, url: "http://example.org/a")
  }

  @Test func `a second refusal applies to the host only within a minute`() {
    for (later, isForHost) in [(59_000 as Int64, true), (61_000, false)] {
      var state = HostState()
      state.refuse(1, penalty(3_600_000), isForAll: false, now: now)
      #expect(state.penalty(of: 2, now: now) == nil)
      state.refuse(2, penalty(1_800_000), isForAll: false, now: at(later))
      #expect((state.penalty(of: 3, now: at(later)) != nil) == isForHost)
      #expect(state.penalty(of: 1, now: at(later)) == penalty(3_600_000))
    }
  }

  @Test func `the same URL refused twice does not delay the others`() {
    var state = HostState()
    state.refuse(1, penalty(1000), isForAll: false, now: now)
    state.refuse(1, penalty(9000), isForAll: false, now: at(1000))
    #expect(state.penalty(of: 2, now: at(1000)) == nil)
    #expect(state.refusals.count == 1)
  }

  @Test func `the memory for refusals is bounded`() {
    var state = HostState()
    for url in 0..<1000 {
      state.refuse(UInt64(url), penalty(3_600_000), isForAll: false, now: at(Int64(url)))
    }
    #expect(state.refusals.count <= 64)
  }

  @Test func `each refusal doubles the interval up to the slowest, which is reported`() {
    var state = HostState()
    var slowest: [Bool] = []
    var intervals: [Int64] = []
    for step in 0..<7 {
      let time = at(Int64(step) * 10_000)
      slowest.append(state.slowDown(sent: time, now: time, after: none, limits).wasSlowest)
      intervals.append(state.pace?.interval ?? 0)
    }
    #expect(intervals == [100, 200, 400, 800, 1600, 1600, 1600])
    #expect(slowest == [false, false, false, false, false, true, true])
  }

  @Test func `concurrent refused requests slow the pace once`() {
    var state = HostState()
    _ = state.slowDown(sent: now, now: at(10), after: none, limits)
    _ = state.slowDown(sent: at(1), now: at(11), after: none, limits)
    #expect(state.pace?.interval == 100)
  }

  @Test func `responses raise the rate faster and faster until the pace is cleared`() {
    var state = HostState()
    for step in 0..<4 {
      let time = at(Int64(step) * 10_000)
      _ = state.slowDown(sent: time, now: time, after: none, limits)
    }
    var intervals: [Int64] = []
    while let pace = state.pace {
      intervals.append(pace.interval)
      state.speedUp(now: at(40_000), limits)
    }
    #expect(intervals == intervals.sorted(by: >))
    #expect((10...30).contains(intervals.count))
  }

  @Test func `a single refusal among responses changes nothing`() {
    var served = HostResponses()
    for step in 0..<10 { served.add(now: at(Int64(step) * 20)) }
    var state = HostState()
    #expect(state.slowDown(sent: at(200), now: at(200), after: served, limits).delay == 0)
    #expect(state.pace == nil)
    // The next one comes after fewer responses: the pace begins at half their rate.
    var few = HostResponses()
    for step in 0..<5 { few.add(now: at(Int64(step) * 20)) }
    #expect(state.slowDown(sent: at(300), now: at(300), after: few, limits).delay == 40)
    // A refusal after ten responses is a single one, and the next one doubles the interval.
    state.pace?.interval = 100
    for _ in 0..<10 { state.speedUp(now: at(400), limits) }
    let interval = state.pace?.interval
    #expect(interval != nil)
    _ = state.slowDown(sent: at(500), now: at(500), after: none, limits)
    #expect(state.pace?.interval == interval)
    _ = state.slowDown(sent: at(600), now: at(600), after: none, limits)
    #expect(state.pace?.interval == interval.map { $0 * 2 })
  }

  @Test func `a pace ends after an hour without a refusal`() {
    var state = HostState()
    _ = state.slowDown(sent: now, now: now, after: none, limits)
    state.pace?.next = at(3_600_100)
    #expect(state.pace?.delay(now: at(3_599_999), limits) == 101)
    #expect(state.pace?.delay(now: at(3_600_000), limits) == 0)
    #expect(
      state.slowDown(sent: at(3_600_000), now: at(3_600_000), after: none, limits).delay == 100)
    state.speedUp(now: at(9_000_000), limits)
    #expect(state.pace == nil)
  }

  @Test func `a host that was down is fast again soon`() {
    var state = HostState()
    for step in 0..<6 {
      let time = at(Int64(step) * 10_000)
      _ = state.slowDown(sent: time, now: time, after: none, limits)
    }
    #expect(state.pace?.interval == 1600)
    state.speedUp(now: at(60_000), limits)
    #expect(state.pace?.interval == 400)
    state.isDown(penalty(300_000))
    #expect(state.pace == nil)
    #expect(state.penalty(of: 1, now: at(60_000)) != nil)
  }

  @Test func `turns are an interval apart, and a time far ahead indicates a wrong clock`() {
    var pace = HostPace(interval: 100, next: now, slowed: now)
    #expect(pace.reserve(now: now, limits) == 0)
    #expect(pace.reserve(now: at(40), limits) == 60)
    #expect(pace.reserve(now: at(100), limits) == 0)
    pace.next = at(10_000_000)
    #expect(pace.reserve(now: at(200), limits) == 0)
  }
}
