import Testing
import VmxModel
import VmxTestSupport

struct TimeWindowTests {
  private func moment(_ text: String) throws -> Timestamp {
    try #require(Timestamp(text))
  }

  /// Returns the time at which a window opens in a zone two hours ahead of UTC; nil if it is open.
  private func opening(_ window: String, at now: String) throws -> String? {
    let window = try #require(TimeWindow(window))
    return window.opening(after: try moment(now), in: FixedZone(minutes: 120))?.text
  }

  @Test(arguments: [
    ("01:00-06:00", "2026-05-20T23:00:00Z"), ("01:00-06:00", "2026-05-21T03:59:59Z"),
    ("22:00-06:00", "2026-05-20T20:00:00Z"), ("22:00-06:00", "2026-05-21T03:00:00Z"),
    ("00:00-24:00", "2026-05-20T22:00:00Z"), ("always", "2026-05-20T12:00:00Z"),
    ("03:00-04:00,12:30-13:00", "2026-05-20T10:45:00Z"),
  ])
  func `a window is open within its spans`(window: String, now: String) throws {
    #expect(try opening(window, at: now) == nil)
  }

  @Test(arguments: [
    ("01:00-06:00", "2026-05-20T04:00:00Z", "2026-05-20T23:00:00.000Z"),
    ("01:00-06:00", "2026-05-20T22:59:59Z", "2026-05-20T23:00:00.000Z"),
    ("22:00-06:00", "2026-05-20T12:00:00Z", "2026-05-20T20:00:00.000Z"),
    ("03:00-04:00,12:30-13:00", "2026-05-20T03:00:00Z", "2026-05-20T10:30:00.000Z"),
    ("03:00-04:00,12:30-13:00", "2026-05-20T11:00:00Z", "2026-05-21T01:00:00.000Z"),
    ("23:00-23:30", "2026-12-31T21:45:00Z", "2027-01-01T21:00:00.000Z"),
  ])
  func `a window returns its next opening`(window: String, now: String, opens: String) throws {
    #expect(try opening(window, at: now) == opens)
  }

  @Test(arguments: [
    "", "1:00-6:00", "01:00", "01:00-01:00", "01:00-06:00,", "24:00-06:00", "01:00-24:01",
    "01:60-02:00", "01:00 - 06:00", "never", "Always",
  ])
  func `another form is refused`(text: String) {
    #expect(TimeWindow(text) == nil)
  }

  /// A zone in which clocks jump from 02:00 to 03:00 in the night of the 29th: an opening at 02:30
  /// is skipped.
  private struct Leaping: LocalZone {
    func local(_ moment: Timestamp) -> LocalTime { FixedZone(minutes: 60).local(moment) }
    func timestamp(_ local: LocalTime) -> Timestamp {
      FixedZone(minutes: local.day == 29 && local.minute == 150 ? 180 : 60).timestamp(local)
    }
  }

  @Test func `an opening skipped by a clock change is not in the past`() throws {
    let window = try #require(TimeWindow("02:30-02:45"))
    let now = try moment("2026-03-29T01:00:00Z")
    #expect(window.opening(after: now, in: Leaping())?.text == "2026-03-30T01:30:00.000Z")
  }
}
