import Testing
import VmxModel
import VmxSystem

struct SystemZoneTests {
  @Test func `a local time is converted back to its minute`() {
    let zone = SystemZone()
    let moment = Timestamp(seconds: 1_800_000_000 / 60 * 60)
    let local = zone.local(moment)
    #expect(zone.timestamp(local) == moment)
    #expect(local.year == 2027)
    #expect((0..<1440).contains(local.minute))
  }

  @Test func `a day beyond the end of its month is in the next month`() {
    let zone = SystemZone()
    let over = zone.local(zone.timestamp(LocalTime(year: 2026, month: 12, day: 32, minute: 720)))
    #expect(over == LocalTime(year: 2027, month: 1, day: 1, minute: 720))
    #expect(over.monthName == "2027-01")
    let end = LocalTime(year: 2026, month: 12, day: 31, minute: 5)
    #expect(end.nextMonth == LocalTime(year: 2027, month: 1, day: 1, minute: 0))
  }
}
