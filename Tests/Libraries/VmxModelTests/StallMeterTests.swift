import Testing
import VmxModel

@Suite struct StallMeterTests {
  /// Whether a transfer stalls after samples of its total at each whole second, starting at 0.
  private func stalls(_ totals: [Int64], limit: Int64 = 1000) -> [Bool] {
    var meter = StallMeter(limit: limit)
    return totals.enumerated().map { second, total in
      meter.sample(total, at: Int64(second) * 1000)
      return meter.isStalling
    }
  }

  @Test func `a transfer below the limit for five seconds stalls`() {
    #expect(
      stalls([0, 10, 20, 30, 40, 50, 60]) == [false, false, false, false, false, true, true])
  }

  @Test func `one fast second ends the stall`() {
    #expect(stalls([0, 1, 2, 3, 4, 5, 5000, 5001]).suffix(3) == [true, false, false])
  }

  @Test func `a steady transfer at the limit does not stall`() {
    #expect(!stalls((0...9).map { $0 * 1000 }).contains(true))
  }

  @Test func `without a limit nothing stalls`() {
    #expect(!stalls([0, 0, 0, 0, 0, 0, 0, 0], limit: 0).contains(true))
  }
}
