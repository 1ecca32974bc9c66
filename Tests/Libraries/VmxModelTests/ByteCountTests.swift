import Testing
import VmxModel

struct ByteCountTests {
  @Test(
    arguments: [
      ("0", 0), ("17", 17), ("1K", 1024), ("2k", 2048), ("3M", 3_145_728), ("1G", 1_073_741_824),
      ("1T", 1_099_511_627_776), ("9223372036854775807", .max), ("007", 7), ("17 B", 17),
      ("17 bytes", 17), ("2GB", 2_000_000_000), ("2 GiB", 2_147_483_648), ("1KiB", 1024),
      ("1kb", 1000), ("25.4MiB", 26_633_830), ("1.5G", 1_610_612_736), ("0.1K", 102),
      ("1 EB", 1_000_000_000_000_000_000),
    ] as [(String, Int64)])
  func `a size is a number and a unit as in coreutils`(text: String, bytes: Int64) {
    #expect(ByteCount(text: text)?.bytes == bytes)
  }

  /// Regression: a last letter whose upper case consists of two letters crashed the program.
  @Test(arguments: [
    "", "K", "-1", "-0", "+1", "1,5G", "1.", ".5", " 1K", "1KK", "1iB", "1Z", "1K2", "1e3",
    "8388608T", "9223372036854775808", "5ß", "5ﬁ", "٣", "1K\u{301}", "1M/s",
  ])
  func `other texts are not sizes`(text: String) {
    #expect(ByteCount(text: text) == nil)
  }

  @Test(
    arguments: [
      ("0", 0), ("500K", 512_000), ("2.2MiB/s", 2_306_867), ("2.2 MiB/s", 2_306_867),
      ("2MB/s", 2_000_000), ("2500 kbit/s", 312_500), ("8Mbit", 1_000_000),
    ] as [(String, Int64)])
  func `a rate is a size per second, or in bits`(text: String, bytes: Int64) {
    #expect(ByteCount(rate: text)?.bytes == bytes)
  }

  @Test(arguments: ["", "/s", "1M/h", "1M/s/s", "fast", "-1/s", "1 bits"])
  func `other texts are not rates`(text: String) {
    #expect(ByteCount(rate: text) == nil)
  }

  @Test func `counts are never negative and sums never overflow`() {
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
  func `sizes for users have three digits and a unit`(bytes: Int64, text: String) {
    #expect(ByteCount(clamping: bytes).forPeople == text)
  }
}
