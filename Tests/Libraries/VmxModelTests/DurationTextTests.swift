import Testing
import VmxModel

struct DurationTextTests {
  @Test(
    arguments: [
      ("0", 0), ("10", 10_000), ("10s", 10_000), ("500ms", 500), ("5m", 300_000),
      ("24h", 86_400_000), ("7d", 604_800_000),
    ] as [(String, Int64)])
  func `a duration is a number and a unit, seconds without`(text: String, milliseconds: Int64) {
    #expect(DurationText.milliseconds(of: text) == milliseconds)
  }

  @Test(arguments: [
    "", "s", "-1s", "+1s", "1.5s", "1 s", "1S", "1w", "9223372036854775807d",
    "99999999999999999999",
    "1s\u{301}", "٣s",
  ])
  func `anything else is none`(text: String) {
    #expect(DurationText.milliseconds(of: text) == nil)
  }

  @Test(arguments: [0, 1, 999, 1000, 90_000, 3_600_000, 86_400_000, 86_400_001] as [Int64])
  func `the text of a duration reads back`(milliseconds: Int64) {
    #expect(DurationText.milliseconds(of: DurationText.text(of: milliseconds)) == milliseconds)
  }
}
