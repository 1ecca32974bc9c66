import SystemPackage
import Testing
import VmxMedia
import VmxSystem
import VmxTestSupport

struct MediaStructureTests {
  @Test func `a file in no known container is unknown`() throws {
    let tape: [UInt8] = [0, 0, 1, 0xBA] + payload(99)
    for bytes in [payload(5000), Array("ID3 sound".utf8), tape, [1]] {
      #expect(try verdict(on: bytes) == .unknown)
    }
  }

  @Test func `an empty file is missing everything`() throws {
    #expect(try fault(in: [])?.kind == .incomplete(.bytes))
  }

  @Test func `zeros and web pages are detected at the start`() throws {
    #expect(try fault(in: [UInt8](repeating: 0, count: 9000))?.kind == .zeros)
    #expect(try fault(in: page)?.kind == .page)
  }

  @Test func `boxes without end take only a few seconds`() throws {
    let bytes = MadeFilm.front + [UInt8](repeating: 0, count: 3) + [8] + Array("free".utf8)
    let many = MadeFilm.front + (0..<500_000).flatMap { _ in bytes.suffix(8) }
    #expect(try fault(in: many)?.kind == .incomplete(.index))
  }

  @Test func `lengths that overflow are refused`() throws {
    for length in [UInt64.max, 1 << 63, UInt64(Int64.max)] {
      let head = big(1) + Array("mdat".utf8) + big(Int(truncatingIfNeeded: length), bytes: 8)
      #expect(try fault(in: MadeFilm.front + head + payload(99)) != nil)
    }
  }

  @Test func `an open file is examined through its descriptor`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("film.mp4", MadeFilm().indexFirst)
    let file = try OpenFile(scratch.path("film.mp4"), .readOnly)
    #expect(try MediaStructure.examine(file) == .intact)
  }

  @Test func `an unreadable file is an error, not a fault`() throws {
    let scratch = try ScratchFolder()
    let folder = try OpenFile(scratch.path, .readOnly, options: .directory)
    #expect(throws: FileError.failed(.read, scratch.path, .isDirectory)) {
      try MediaStructure.examine(folder.descriptor, named: scratch.path, size: 100)
    }
  }

  @Test(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
  func `real files are recognised`() throws {
    let whole = [
      "bigbuckbunny.mp4", "carphone_distorted.mp4", "made/audio-only.m4a",
      "made/mkv-subs-chapters.mkv", "made/video-only-moov-at-end.mp4", "made/webm-vp9-opus.webm",
    ]
    for name in whole {
      #expect(try verdict(on: RealData.bytes("video/\(name)")) == .intact, "\(name)")
    }
    func kind(_ name: String) throws -> StructureFault.Kind? {
      try fault(in: RealData.bytes("video/made/\(name)"))?.kind
    }
    #expect(try kind("mp4-truncated-no-moov.mp4") == .truncated(missing: 134_427))
    #expect(try kind("mp4-zero-filled-tail.mp4") == .zeros)
    #expect(try kind("html-instead-of-video.mp4") == .page)
  }
}
