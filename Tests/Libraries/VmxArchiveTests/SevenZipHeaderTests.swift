import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct SevenZipHeaderTests {
  /// Returns a header packed by LZMA with one stream, as 7-Zip writes it.
  private static func encoded(unpacked: [UInt8]) -> [UInt8] {
    [0x17, 0x06, 0x10, 0x01, 0x09, 0x40, 0x00, 0x07, 0x0B, 0x01, 0x00]
      + [0x01, 0x23, 0x03, 0x01, 0x01, 0x05, 0x5D, 0, 0, 0x10, 0, 0x0C] + unpacked + [0x00, 0x00]
  }

  private static func file(_ header: [UInt8], length: UInt64? = nil) -> [UInt8] {
    func bytes(_ number: UInt64) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return SevenZipHeader.magic + [0, 4, 0, 0, 0, 0] + bytes(0)
      + bytes(length ?? UInt64(header.count)) + [0, 0, 0, 0] + header
  }

  @Test(
    arguments: [
      ([0x7F], 127), ([0x81, 0x00], 256), ([0xE0, 0x01, 0x02, 0x03], 0x030201),
      ([0xFF, 0, 0, 0, 0x40, 0, 0, 0, 0], 0x4000_0000),
      ([0xFF] + [UInt8](repeating: 255, count: 8), .max),
    ] as [([UInt8], Int64)])
  func `the unpacked size of a compressed list is read`(number: [UInt8], size: Int64) {
    var numbers = SevenZipNumbers(Self.encoded(unpacked: number))
    #expect(numbers.unpackedSize() == size)
  }

  @Test func `a compressed list that is cut anywhere has no size`() {
    let whole = Self.encoded(unpacked: [0x7F])
    for count in 0..<whole.count - 2 {
      var numbers = SevenZipNumbers(Array(whole.prefix(count)))
      #expect(numbers.unpackedSize() == nil)
    }
  }

  // Regression: libarchive had unpacked the list before the first entry could be checked.
  @Test func `a list that exceeds the limit is refused before it is read`() throws {
    let scratch = try ScratchFolder()
    let files = [
      Self.file(Self.encoded(unpacked: [0xFF, 0, 0, 0, 0x40, 0, 0, 0, 0])),
      Self.file([0x01], length: 1 << 40),
    ]
    for bytes in files {
      try scratch.write("a.7z", "")
      let file = try FileDescriptor.open(scratch.path("a.7z"), .readWrite)
      defer { try? file.close() }
      _ = try file.writeAll(bytes)
      try file.seek(offset: 0, from: .start)
      let reader = try ArchiveReader(file)
      #expect(throws: ArchiveError.tooLarge(.list(BundleLimits().list))) { try reader.next() }
    }
  }
}
