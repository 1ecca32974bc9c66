import Testing
import VmxModel

struct RateScheduleTests {
  private func rate(_ text: String, at minute: Int) throws -> Int64? {
    try #require(RateSchedule(text)).rate(at: minute)?.bytes
  }

  @Test(
    arguments: [
      ("1M", 0, 1 << 20), ("10K", 1439, 10240), ("500", 600, 500), ("0", 600, nil),
      ("1M@08:00-18:00", 479, nil), ("1M@08:00-18:00", 480, 1 << 20),
      ("1M@08:00-18:00", 1080, nil), ("2M,1M@08:00-18:00", 600, 1 << 20),
      ("1M@08:00-18:00,2M", 1200, 2 << 20), ("1M@22:00-06:00,2K@00:00-12:00", 60, 1 << 20),
      ("0@01:00-06:00,1M", 120, nil), ("0@01:00-06:00,1M", 720, 1 << 20),
    ] as [(String, Int, Int64?)])
  func `the entry for the time of day applies`(
    schedule: String, minute: Int, bytes: Int64?
  ) throws {
    #expect(try rate(schedule, at: minute) == bytes)
  }

  @Test(arguments: ["", "fast", "1M@", "1M@08:00", "@08:00-18:00", "1M@08:00-18:00@2", "-1", "1M,"])
  func `another form is refused`(text: String) {
    #expect(RateSchedule(text) == nil)
  }
}
