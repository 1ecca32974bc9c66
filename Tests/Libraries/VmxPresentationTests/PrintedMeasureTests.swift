import Testing
import VmxModel
import VmxPresentation
import VmxTestSupport

/// vmx parses every measure that it prints for the user.
struct PrintedMeasureTests {
  private static let amounts: [Int64] = (0...50).flatMap { shift -> [Int64] in
    let power = Int64(1) << Int64(shift)
    return [power - 1, power, power + 1, power / 3, power / 1000 * 999]
  }

  @Test(arguments: amounts)
  func `a printed size and rate is read back to an equal text`(bytes: Int64) throws {
    let text = ByteCount(clamping: bytes).forPeople
    let size = try #require(ByteCount(text: text))
    #expect(size.forPeople == text)
    #expect(ByteCount(rate: "\(text)/s") == size)
  }

  @Test(arguments: amounts.filter { $0 < 1 << 46 })
  func `a printed duration is read back to an equal text`(milliseconds: Int64) throws {
    let text = TimeText.duration(milliseconds: milliseconds)
    let read = try #require(DurationText.milliseconds(of: text))
    #expect(TimeText.duration(milliseconds: read) == text)
    let exact = DurationText.text(of: milliseconds)
    #expect(DurationText.milliseconds(of: exact) == milliseconds)
    let playing = PlayingTime.text(of: milliseconds)
    #expect(DurationText.milliseconds(of: playing).map(PlayingTime.text) == playing)
  }

  @Test func `a printed local time is read back to the second`() {
    let zone = FixedZone(minutes: 60)
    let moment = Timestamp(milliseconds: 1_795_413_930_123)
    let text = TimeText.absolute(moment, in: zone)
    #expect(zone.timestamp(of: text)?.milliseconds == 1_795_413_930_000)
    #expect(zone.timestamp(of: String(text.dropLast(3)))?.milliseconds == 1_795_413_900_000)
    #expect(zone.timestamp(of: zone.day(of: moment)).map(zone.day) == zone.day(of: moment))
    #expect(zone.timestamp(of: "2026-02-30 10:00") == nil)
    #expect(zone.timestamp(of: "2026-02-20 25:00") == nil)
    #expect(zone.timestamp(of: "10:00") == nil)
  }

  @Test func `a terminal gets local time, a pipe RFC 3339 in UTC`() {
    let moment = Timestamp(milliseconds: 1_795_413_930_123)
    #expect(TimeText.absolute(moment, in: nil) == moment.text)
    #expect(TerminalFacts.pipe.zone == nil)
    #expect(TerminalFacts(isTerminal: true).zone != nil)
    let text = TimeText.absolute(moment, in: FixedZone(minutes: 60))
    #expect(!text.contains("T") && !text.contains(".") && !text.contains("Z"))
  }

  @Test func `the times of a message become local ones, text in quotes stays`() {
    func shown(_ text: String) -> String { TimeText.localised(text, in: FixedZone(minutes: 60)) }
    #expect(
      shown("the server's clock says 2026-11-21T23:30:05.123Z, not (2026-11-21T10:00:00.000Z)")
        == "the server's clock says 2026-11-22 00:30:05, not (2026-11-21 11:00:00)")
    #expect(
      shown("'it's 2026-11-21T23:30:05.123Z now' ended on 2026-11-21T23:30:05.123Z")
        == "'it's 2026-11-21T23:30:05.123Z now' ended on 2026-11-22 00:30:05")
    #expect(shown("2026-11-21T23:30:05.123Z\n") == "2026-11-22 00:30:05\n")
    for kept in [
      "'/films/2026-11-21T23:30:05.123Z.mp4'", "'https://a.example/2026-11-21T23:30:05.123Z'",
      "'/films/at 2026-11-21T23:30:05.123Z x.mp4'", "2026-11-21T23:30:05.123Z.mp4",
      "2026-13-21T23:30:05.123Z", "no time, Zoe",
    ] {
      #expect(shown(kept) == kept)
    }
    #expect(TimeText.localised("2026-11-21T23:30:05.123Z", in: nil).hasSuffix("Z"))
  }
}
