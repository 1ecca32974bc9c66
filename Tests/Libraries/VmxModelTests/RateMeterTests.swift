import Testing
import VmxModel

@Suite struct RateMeterTests {
  @Test func `a steady stream has its exact rate`() {
    var meter = RateMeter()
    for second in 0..<10 { meter.sample(Int64(second) * 5000, at: Int64(second) * 1000) }
    #expect(meter.rate == 5000)
  }

  @Test func `no rate is known before a second sample`() {
    var meter = RateMeter()
    meter.sample(100, at: 0)
    #expect(meter.rate == nil)
  }

  @Test func `a stall reduces the rate towards zero`() {
    var meter = RateMeter()
    meter.sample(0, at: 0)
    meter.sample(1000, at: 1000)
    for second in 2..<60 { meter.sample(1000, at: Int64(second) * 1000) }
    #expect(meter.rate == 0)
  }

  @Test func `fewer bytes than before restart the measurement`() {
    var meter = RateMeter()
    meter.sample(0, at: 0)
    meter.sample(1000, at: 1000)
    meter.sample(10, at: 2000)
    #expect(meter.rate == nil)
  }
}
