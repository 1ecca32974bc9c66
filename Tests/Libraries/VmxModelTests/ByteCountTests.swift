import Testing
import VmxModel

struct ByteCountTests {
  @Test(
    arguments: [
      ("0", 0), ("17", 17), ("1K", 1024), ("2k", 2048), ("3M", 3_145_728), ("1G", 1_073_741_824),
      ("1T", 1_099_511_627_776), ("9223372036854775807", .max), ("007", 7),
    ] as [(String, Int64)])
  func `a number with a suffix in powers of 1024 is read`(text: String, bytes: Int64) {
    #expect(ByteCount(text: text)?.bytes == bytes)
  }

  /// A last letter whose upper case is two letters once ended the program.
  @Test(arguments: [
    "", "K", "-1", "-0", "+1", "1.5G", "1KB", "1 K", "8388608T", "9223372036854775808", "5ß", "5ﬁ",
    "٣", "1K\u{301}",
  ])
  func `anything else is none`(text: String) {
    #expect(ByteCount(text: text) == nil)
  }

  @Test func `counts are never negative and sums never wrap`() {
    #expect(ByteCount(-1) == nil)
    #expect(ByteCount(clamping: -1).bytes == 0)
    #expect((ByteCount(clamping: .max) + ByteCount(clamping: 1)).bytes == .max)
    #expect(ByteCount(clamping: 1) < ByteCount(clamping: 2))
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 KiB"), (1024, "1.0 KiB"), (5_138_022, "4.9 MiB"),
      (104_857_600, "100 MiB"), (1_073_741_824, "1.0 GiB"), (.max, "8.0 EiB"),
    ] as [(Int64, String)])
  func `people get three figures and a unit`(bytes: Int64, text: String) {
    #expect(ByteCount(clamping: bytes).forPeople == text)
  }
}
