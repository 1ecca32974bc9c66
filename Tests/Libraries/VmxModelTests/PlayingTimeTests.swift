import Testing
import VmxModel

struct PlayingTimeTests {
  @Test(
    arguments: [
      ("1:02:03", 3_723_000), ("0:41", 41_000), ("90:00", 5_400_000), ("3723", 3_723_000),
      ("3.100000", 3100), ("00:00:03.023000000", 3023), ("0.9999", 999), ("2.5", 2500), ("0", 0),
      ("100000:00:00", 360_000_000_000),
    ] as [(String, Int64)])
  func `a time has hours, minutes and seconds, or fewer`(text: String, milliseconds: Int64) {
    #expect(PlayingTime.milliseconds(of: text) == milliseconds)
  }

  @Test(arguments: [
    "", ":", "1:", ":30", "1:2", "1:60", "1:00:60", "1:2:3", "1:02:03:04", "-1", "+1", "1:-5",
    "1:+5", "N/A", "nan", "inf", "1e3", "1.", ".5", "1.5s", "1 0", "1.0:00", "٣", "0:4\u{301}1",
    "9223372036854775807", "99999999999999999999", "1000000000001:00:00",
  ])
  func `other texts are not times`(text: String) {
    #expect(PlayingTime.milliseconds(of: text) == nil)
  }

  @Test(
    arguments: [
      (0, "0:00"), (41_499, "0:41"), (41_500, "0:42"), (600_000, "10:00"), (3_599_999, "1:00:00"),
      (3_723_000, "1:02:03"), (360_000_000_000, "100000:00:00"),
      (.max, "2562047788015:12:56"),
    ] as [(Int64, String)])
  func `users see the time in seconds`(milliseconds: Int64, text: String) {
    #expect(PlayingTime.text(of: milliseconds) == text)
  }

  @Test(arguments: [(0, "0.000"), (7, "0.007"), (754_200, "754.200")] as [(Int64, String)])
  func `programs get it in seconds`(milliseconds: Int64, text: String) {
    #expect(PlayingTime.seconds(of: milliseconds) == text)
  }
}
