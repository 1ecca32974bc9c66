import Testing
import VmxModel
import VmxTestSupport

struct TimestampTests {
  @Test func `a time is written with three fraction digits and read back`() {
    let moment = Timestamp(milliseconds: 1_795_232_160_007)
    #expect(moment.text == "2026-11-21T03:36:00.007Z")
    #expect(Timestamp(moment.text) == moment)
  }

  @Test(arguments: [
    ("2026-11-21T03:36:00+01:00", "2026-11-21T02:36:00.000Z"),
    ("2026-11-21t03:36:00.1z", "2026-11-21T03:36:00.100Z"),
    ("2026-11-21 03:36:00.123456-00:30", "2026-11-21T04:06:00.123Z"),
    ("2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"),
    ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
  ])
  func `RFC 3339 is read in all its forms`(given: String, text: String) {
    #expect(Timestamp(given)?.text == text)
  }

  @Test(arguments: [
    "", "2026-06-31T00:00:00Z", "2023-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00", "2026-01-01",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+0100", "+026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
  ])
  func `an invalid time is refused`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test func `times out of range are clamped`() {
    #expect(Timestamp(seconds: .max).milliseconds == .max)
    #expect(Timestamp(seconds: .min).milliseconds == .min)
    #expect(Timestamp(seconds: 1).adding(milliseconds: .max).milliseconds == .max)
    #expect(Timestamp(seconds: -1).adding(milliseconds: .min).milliseconds == .min)
    #expect(Timestamp(seconds: 1).adding(milliseconds: -1).milliseconds == 999)
  }

  @Test func `a time in another year has all its digits`() {
    #expect(Timestamp(milliseconds: 253_402_300_800_001).text == "10000-01-01T00:00:00.001Z")
    #expect(Timestamp(milliseconds: -62_167_219_200_001).text == "-1-12-31T23:59:59.999Z")
  }

  @Test func `any time in a four-digit year is 24 bytes that read back and sort`() {
    var random = SeededRandom(seed: 2)
    var moments = (0..<500).map { _ in
      Timestamp(
        milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
    }
    moments.sort()
    #expect(moments.map(\.text) == moments.map(\.text).sorted())
    for moment in moments {
      #expect(moment.text.utf8.count == 24)
      #expect(Timestamp(moment.text) == moment)
    }
  }

  @Test(arguments: [
    ("2024-02-29", true), ("2023-02-29", false), ("2000-02-29", true), ("1900-02-29", false),
    ("2024-12-31", true), ("2024-06-31", false), ("2024-13-01", false),
    ("2024-01-00", false), ("2024-2-29", false),
    ("2024-05-20T00:00:00Z", false), ("", false), ("20240520..", false),
  ])
  func `a nonexistent date is refused`(text: String, exists: Bool) {
    #expect(CalendarDay(text)?.description == (exists ? text : nil))
  }
}
