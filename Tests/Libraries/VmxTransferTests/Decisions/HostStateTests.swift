import Testing
import VmxModel

@testable import VmxTransfer

/// The requests that are allowed after a host has refused some.
@Suite struct HostStateTests {
  private let now = Timestamp(seconds: 1_700_000_000)
  private let limits: HostPace.Limits

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
      slowest.append(state.slowDown(sent: time, now: time, limits).wasSlowest)
      intervals.append(state.pace?.interval ?? 0)
    }
    #expect(intervals == [100, 200, 400, 800, 1600, 1600, 1600])
    #expect(slowest == [false, false, false, false, false, true, true])
  }

  @Test func `concurrent refused requests slow the pace once`() {
    var state = HostState()
    _ = state.slowDown(sent: now, now: at(10), limits)
    _ = state.slowDown(sent: at(1), now: at(11), limits)
    #expect(state.pace?.interval == 100)
  }

  @Test func `responses raise the rate until the pace is cleared`() {
    var state = HostState()
    for step in 0..<6 {
      let time = at(Int64(step) * 10_000)
      _ = state.slowDown(sent: time, now: time, limits)
    }
    var last = Int64.max
    var answers = 0
    while let pace = state.pace {
      #expect(pace.interval < last)
      last = pace.interval
      state.speedUp(limits)
      answers += 1
    }
    #expect((50...200).contains(answers))
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
