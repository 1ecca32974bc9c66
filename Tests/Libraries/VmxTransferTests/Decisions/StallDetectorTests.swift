import Testing

@testable import VmxTransfer

@Suite struct StallDetectorTests {
  private func stalls(atRate rate: Int64, from: Int64 = 0) -> Int64? {
    var watch = StallDetector(rate: 1024, time: 15_000, firstTime: 60_000, since: 0)
    for now in stride(from: Int64(0), through: 120_000, by: 250)
    where watch.isStalled(received: from + rate * now / 1000, now: now) {
      return now
    }
    return nil
  }

  @Test func `no bytes at all are a stall after the first-byte timeout`() {
    #expect(stalls(atRate: 0) == 60_000)
  }

  @Test func `no more bytes after the first ones are a stall after its timeout`() {
    #expect(stalls(atRate: 0, from: 10) == 15_000)
  }

  @Test func `the stall timeout begins with the first byte`() {
    var watch = StallDetector(rate: 1024, time: 15_000, firstTime: 60_000, since: 0)
    let verdicts = [(0, 50_000), (1, 50_250), (1, 65_249), (1, 65_250)].map {
      watch.isStalled(received: $0.0, now: $0.1)
    }
    #expect(verdicts == [false, false, false, true])
  }

  @Test func `a trickle is a stall`() {
    #expect(stalls(atRate: 1000, from: 10) == 15_000)
  }

  @Test func `exactly the minimum rate is not a stall`() {
    #expect(stalls(atRate: 1024) == nil)
  }

  /// Regression: a rate of 8388607T overflowed.
  @Test func `an excessive rate makes every transfer stall`() {
    var watch = StallDetector(rate: .max, time: 3_600_000, firstTime: 1, since: 0)
    _ = watch.isStalled(received: 1, now: 0)
    let verdicts = [3_599_999, 3_600_000].map { watch.isStalled(received: 1 << 40, now: $0) }
    #expect(verdicts == [false, true])
  }

  @Test func `a pause of our own does not count`() {
    var watch = StallDetector(rate: 1024, time: 15_000, firstTime: 15_000, since: 0)
    watch.restart(received: 0, now: 14_000)
    let verdicts = [28_999, 29_000].map { watch.isStalled(received: 0, now: $0) }
    #expect(verdicts == [false, true])
  }
}
