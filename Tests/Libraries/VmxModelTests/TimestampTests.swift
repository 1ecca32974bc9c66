import Testing
import VmxModel

struct TimestampTests {
  @Test func `a moment is written with three fraction digits and read back`() {
    let moment = Timestamp(milliseconds: 1_795_232_160_007)
    #expect(Timestamp(moment.text) == moment)
    #expect(Timestamp("2026-11-21T03:36:00+01:00")?.text == "2026-11-21T02:36:00.000Z")
    #expect(Timestamp("2026-06-31T00:00:00Z") == nil)
  }
}
