import SystemPackage
import Testing
import VmxMedia
import VmxModel
import VmxSystem

struct MediaReportTests {
  private func report(_ bytes: [UInt8]) throws -> MediaReport {
    let file = try MemoryFile("media", holding: bytes)
    return try MediaReport(of: file.descriptor, named: "media", size: Int64(bytes.count))
  }

  @Test func `the playing time of MP4 is that of its header`() throws {
    let rest = [UInt8](repeating: 0, count: 80)
    let header = box("mvhd", big(0), big(0), big(0), big(600), big(36_000), rest)
    let film = MadeFilm.front + box("moov", header) + box("mdat", payload(100))
    #expect(try report(film).duration == 60_000)
    #expect(try report(film).isClosed)
    #expect(try report(film).fault == nil)
  }

  @Test func `a box without a length does not show where the file ends`() throws {
    let film = MadeFilm.front + box("moov") + big(0) + Array("mdat".utf8) + payload(100)
    #expect(try !report(film).isClosed)
    #expect(try report(film).duration == nil)
  }

  @Test func `a fault tells whether the source may complete the file`() throws {
    let film = MadeFilm.front + box("moov") + box("mdat", payload(1000))
    #expect(try report(film.dropLast(400)).fault?.isIncomplete == true)
    #expect(try report(film + film).fault?.isIncomplete == false)
  }
}
