import Testing
import VmxModel
import VmxPresentation

@Suite struct TimeTextTests {
  @Test(arguments: [
    (0, "0s"), (9_400, "9s"), (92_000, "1m32s"), (7_500_000, "2h05m"), (273_600_000, "3d04h"),
  ])
  func `a duration has its two largest units`(milliseconds: Int64, text: String) {
    #expect(TimeText.duration(milliseconds: milliseconds) == text)
  }

  @Test func `a time near now is printed relative to now`() {
    let now = Timestamp(seconds: 1_700_000_000)
    #expect(TimeText.relative(now.adding(milliseconds: 300_000), to: now) == "in 5m00s")
    #expect(TimeText.relative(now.adding(milliseconds: -12_000), to: now) == "12s ago")
    #expect(TimeText.relative(Timestamp(seconds: 0), to: now) == "1970-01-01")
  }
}
