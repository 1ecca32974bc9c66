import Testing

@testable import VmxTransfer

@Suite struct ConnectionScalingTests {
  private static let mega: Int64 = 1_000_000

  /// Returns, after each second, whether a further connection is wanted, for a part received at
  /// these rates in MB/s. A wanted connection is added immediately.
  private func wanted(
    _ rates: [Int64], missing: Int64 = 1000, largest: Int64 = 500
  ) -> [Bool] {
    var growth = ConnectionScaling(ConnectionScaling.Limits())
    var now: Int64 = 0
    var received: Int64 = 0
    var connections = 1
    growth.restart(now: now, received: received)
    return rates.map { rate in
      now += 1000
      received += rate * Self.mega
      let isWanted = growth.wantsMore(
        .init(
          now: now, received: received, missing: missing * Self.mega,
          largestRange: largest * Self.mega, connections: connections))
      if isWanted {
        connections += 1
        growth.added(now: now, received: received)
      }
      return isWanted
    }
  }

  @Test func `while each connection is as fast as the first, more are opened`() {
    #expect(wanted([5, 10, 15, 20]) == [true, true, true, true])
  }

  @Test func `an excessive length does not overflow`() {
    let largest = Int64.max / Self.mega
    #expect(wanted([5, 10], missing: largest, largest: largest) == [true, true])
  }

  @Test func `a connection that receives almost nothing is the last one`() {
    #expect(wanted([20, 22, 40, 80]) == [true, false, false, false])
  }

  @Test func `a part that ends within three seconds needs no more connections`() {
    #expect(wanted([100, 100], missing: 300) == [false, false])
    #expect(wanted([100], missing: 301) == [true])
  }

  @Test func `ranges below two segments do not justify another connection`() {
    #expect(wanted([1, 1], largest: 8) == [false, false])
  }

  @Test func `no connection is opened before a rate is known, or while nothing arrives`() {
    var growth = ConnectionScaling(ConnectionScaling.Limits())
    let isWantedBefore = growth.wantsMore(reading(5000, 10))
    growth.restart(now: 0, received: 0)
    let isWantedAtOnce = growth.wantsMore(reading(999, 10))
    #expect(!isWantedBefore)
    #expect(!isWantedAtOnce)
    #expect(wanted([0]) == [false])
  }

  @Test func `a lower total with one more connection is a loss`() {
    func isLoss(_ received: Int64) -> Bool {
      var growth = ConnectionScaling(ConnectionScaling.Limits())
      growth.restart(now: 0, received: 0)
      _ = growth.wantsMore(reading(1000, 5000))
      growth.added(now: 1000, received: 5000)
      _ = growth.wantsMore(reading(2000, received))
      return growth.hasRegressed
    }
    #expect(isLoss(9000))
    #expect(!isLoss(9900))
    #expect(!isLoss(12_000))
  }

  @Test func `after another change of the number nothing is compared`() {
    var growth = ConnectionScaling(ConnectionScaling.Limits())
    growth.restart(now: 0, received: 0)
    let isWanted = growth.wantsMore(reading(1000, 5000))
    growth.added(now: 1000, received: 5000)
    growth.restart(now: 1500, received: 6000)
    let isWantedAgain = growth.wantsMore(reading(2500, 7000))
    #expect(isWanted)
    #expect(isWantedAgain)
  }

  @Test func `no connection is requested before the previous one has responded`() {
    var growth = ConnectionScaling(ConnectionScaling.Limits())
    growth.restart(now: 0, received: 0)
    var reading = reading(1000, 5000)
    reading.pending = 1
    let isWanted = growth.wantsMore(reading)
    #expect(!isWanted)
  }

  @Test func `after several useful connections the next part starts with one more`() {
    let known = ConnectionScaling.Experience(connections: 3, rate: 5_000_000)
    func most(_ known: ConnectionScaling.Experience, missing: Int64 = 100_000_000) -> Int {
      var growth = ConnectionScaling(ConnectionScaling.Limits())
      growth.restart(now: 0, received: 0)
      var reading = ConnectionScaling.Reading(
        now: 0, received: 0, missing: missing, largestRange: missing)
      while growth.wantsMore(reading, known) { reading.connections += 1 }
      return reading.connections
    }
    #expect(most(known) == 4)
    #expect(most(.init(connections: 3, rate: 5_000_000, isComplete: true)) == 3)
    #expect(most(known, missing: 10_000_000) == 2)
    #expect(most(ConnectionScaling.Experience()) == 1)
  }

  @Test func `an observation is reported once`() {
    var growth = ConnectionScaling(ConnectionScaling.Limits())
    growth.restart(now: 0, received: 0)
    _ = growth.wantsMore(reading(1000, 5_000))
    growth.added(now: 1000, received: 5_000)
    var second = reading(2000, 15_000)
    second.connections = 2
    _ = growth.wantsMore(second)
    #expect(growth.measurement == .init(connections: 2, rate: 5_000))
    _ = growth.wantsMore(second)
    #expect(growth.measurement == nil)
    growth.added(now: 2000, received: 15_000)
    var third = reading(3000, 25_000)
    third.connections = 3
    _ = growth.wantsMore(third)
    #expect(growth.measurement == .init(connections: 2, rate: 5000, isComplete: true))
  }

  private func reading(_ now: Int64, _ received: Int64) -> ConnectionScaling.Reading {
    .init(now: now, received: received, missing: 1 << 40, largestRange: 1 << 40)
  }
}
