import SystemPackage
import Testing
import VmxMedia
import VmxSystem
import VmxTestSupport

/// The playing times of containers without an index, each made byte by byte.
struct StreamDurationTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func duration(of bytes: [UInt8]) throws -> Int64? {
    try scratch.write("file", bytes)
    return try MediaReport(of: OpenFile(scratch.path("file"), .readOnly)).duration
  }

  private func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func little(_ value: UInt64, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Test func `AVI states frames and the time of each`() throws {
    let header =
      Array("avih".utf8) + little(56, 4) + little(40_000, 4) + zeros(12) + little(250, 4)
      + zeros(36)
    let list =
      Array("LIST".utf8) + little(UInt64(header.count + 4), 4) + Array("hdrl".utf8) + header
    let media = Array("LIST".utf8) + little(12, 4) + Array("movi".utf8) + zeros(8)
    let body = Array("AVI ".utf8) + list + media
    let file = Array("RIFF".utf8) + little(UInt64(body.count), 4) + body
    #expect(try duration(of: file) == 10_000)
  }

  @Test func `FLV ends with the time of its last tag`() throws {
    let tag = [9] + big(4, 3) + big(0x23_4567, 3) + [1] + zeros(3) + zeros(4)
    let file = Array("FLV".utf8) + [1, 5] + big(9, 4) + zeros(4) + tag + big(UInt64(tag.count), 4)
    #expect(try duration(of: file) == 0x0123_4567)
  }

  @Test func `FLAC states its samples`() throws {
    let facts: UInt64 = 44_100 << 44 | 1 << 41 | 15 << 36 | 441_000
    let file = Array("fLaC".utf8) + [0x80] + big(34, 3) + zeros(10) + big(facts, 8) + zeros(16)
    #expect(try duration(of: file + zeros(64)) == 10_000)
  }

  @Test(arguments: [UInt64(32_000), 0xFFFF_FFFF]) func `WAV has bytes of a known rate`(
    length: UInt64
  ) throws {
    let format =
      Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4)
      + little(16_000, 4) + little(2, 2) + little(16, 2)
    let data = Array("data".utf8) + little(length, 4) + zeros(32_000)
    let file = Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + format + data
    #expect(try duration(of: file) == 2000)
  }

  @Test func `MP3 states its frames behind the tags`() throws {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + zeros(128)
    let head: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
    let frame = head + zeros(32) + Array("Xing".utf8) + big(1, 4) + big(1000, 4) + zeros(369)
    let file = tag + frame + head + zeros(413)
    #expect(try duration(of: file) == 26_122)
    // Without the header, only all frames would tell.
    #expect(try duration(of: tag + head + zeros(413) + head + zeros(413)) == nil)
  }

  @Test func `Ogg ends with the position of its last page`() throws {
    func page(_ kind: UInt8, _ position: UInt64, _ packet: [UInt8]) -> [UInt8] {
      Array("OggS".utf8) + [0, kind] + little(position, 8) + little(7, 4) + zeros(8)
        + [1, UInt8(packet.count)] + packet
    }
    let head = Array("OpusHead".utf8) + [1, 2] + little(312, 2) + zeros(7)
    let file = page(2, 0, head) + page(4, 48_000 * 5 + 312, zeros(40))
    #expect(try duration(of: file) == 5000)
  }

  @Test func `a transport stream has a clock, which begins again after 26 hours`() throws {
    func packet(_ time: UInt64?) -> [UInt8] {
      guard let time else { return [0x47, 0x01, 0x00, 0x10] + zeros(184) }
      return [0x47, 0x01, 0x00, 0x30, 7, 0x10] + big(time << 7, 5) + [0] + zeros(176)
    }
    let start: UInt64 = 0x1_FFFF_FFFF - 89_999
    let file =
      packet(start) + (0..<900).flatMap { _ in packet(nil) } + packet(90_000 * 9)
      + packet(nil)
    #expect(try duration(of: file) == 10_000)
  }
}
