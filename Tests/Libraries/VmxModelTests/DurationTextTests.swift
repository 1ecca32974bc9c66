import Testing
import VmxModel

struct DurationTextTests {
  @Test(
    arguments: [
      ("0", 0), ("10", 10_000), ("10s", 10_000), ("500ms", 500), ("5m", 300_000),
      ("24h", 86_400_000), ("7d", 604_800_000), ("2w", 1_209_600_000), ("90d", 7_776_000_000),
      ("1h30m", 5_400_000), ("1h 30m", 5_400_000), ("1 hour 30 minutes", 5_400_000),
      ("3d04h", 273_600_000), ("10 minutes", 600_000), ("10min", 600_000), ("1.5h", 5_400_000),
      ("0.5", 500), ("1:02:03", 3_723_000), ("0:41", 41_000), ("1w1d1h1m1s1ms", 694_861_001),
    ] as [(String, Int64)])
  func `a duration has numbers with units, or seconds without`(text: String, milliseconds: Int64) {
    #expect(DurationText.milliseconds(of: text) == milliseconds)
  }

  @Test(arguments: [
    "", "s", "-1s", "+1s", "1.s", ".5s", " 1s", "1S", "1h30", "30 1h", "30m1h", "1h1h", "1.5h30m",
    "1y", "1s,", "9223372036854775807d", "99999999999999999999", "1s\u{301}", "٣s", "1:2:3",
  ])
  func `other texts are not durations`(text: String) {
    #expect(DurationText.milliseconds(of: text) == nil)
  }

  @Test(arguments: [0, 1, 999, 1000, 90_000, 3_600_000, 86_400_000, 86_400_001] as [Int64])
  func `the text of a duration is read back`(milliseconds: Int64) {
    #expect(DurationText.milliseconds(of: DurationText.text(of: milliseconds)) == milliseconds)
  }
}
