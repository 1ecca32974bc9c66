import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxTransfer

struct PartialRecoveryTests {
  private let scratch: ScratchFolder
  private static let segment = Int(SegmentMap.size)
  private static let url = "https://example.org/film.mp4"
  private static let film = Noise.bytes(3 * segment + 1000)
  private static let whole = sha256(film)
  private static let segments = stride(from: 0, to: film.count, by: segment).map { start in
    sha256(Array(film[start..<min(start + segment, film.count)]))
  }

  private var film: [UInt8] { Self.film }

  init() throws { scratch = try ScratchFolder() }

  private var job: TransferJob {
    get throws {
      var job = TransferJob(
        episode: try EpisodeID("t/a"), partName: "video", sources: [TransferSource(url: Self.url)],
        partial: scratch.path("a.part"), resume: scratch.path("a.part.json"))
      job.expectedDigest = Self.whole
      return job
    }
  }

  private var version: FetchedVersion {
    get throws {
      let url = try #require(RequestURL(Self.url))
      return FetchedVersion(
        source: StableHash.of(url.text), etag: "\"one\"", lastModified: nil, date: nil)
    }
  }

  private func copy(_ name: String, hurtAt places: Int...) throws -> FilePath {
    var bytes = film
    for place in places { bytes[place] ^= 0xFF }
    try scratch.write(name, bytes)
    return scratch.path(name)
  }

  private func salvage(
    _ copies: FilePath..., knowing isKnown: Bool = true, stops: Bool = false,
    reserve: Int64 = 0
  ) throws -> Int64 {
    let size = ByteCount(clamping: Int64(film.count))
    let salvage = PartialRecovery(
      for: try job, size: size, segments: isKnown ? Self.segments : [], version: try version)
    return try salvage.perform(
      from: copies, reserve: ByteCount(clamping: reserve), shouldStop: { stops })
  }

  private func resumed() throws -> ResumeData {
    try #require(try ResumeData.load(try job.resume))
  }

  @Test(arguments: [[0], [1], [2], [3], [0, 1, 2], [1, 3]])
  func `all but the damaged segments are held`(_ hurt: [Int]) throws {
    var bytes = film
    for index in hurt { bytes[index * Self.segment + 5] ^= 1 }
    try scratch.write("film.mp4", bytes)
    let held = try salvage(scratch.path("film.mp4"))
    let missing = hurt.map { $0 == 3 ? 1000 : Self.segment }.reduce(0, +)
    #expect(held == Int64(film.count - missing))
    #expect(try resumed().completedRanges.count == held)
    #expect(try scratch.bytes("film.mp4") == bytes)
  }

  @Test func `a later run trusts the salvaged bytes, after another boot too`() throws {
    _ = try salvage(copy("film.mp4", hurtAt: 5))
    var file = try PartialFile(try job.partial)
    try file.restore(try resumed(), boot: "another", shouldStop: { false })
    #expect(file.completedRanges.ranges == [ByteRange(Int64(Self.segment)..<Int64(film.count))])
  }

  @Test func `the request asks for the original version of the file`() throws {
    _ = try salvage(copy("film.mp4", hurtAt: 5))
    #expect(try resumed().version.validators.strong == "\"one\"")
    #expect(try resumed().total == Int64(film.count))
  }

  @Test func `segments missing in one copy are read from another`() throws {
    let held = try salvage(
      copy("film.mp4", hurtAt: 5, Self.segment), copy("copy", hurtAt: 5, 2 * Self.segment))
    #expect(held == Int64(film.count - Self.segment))
  }

  @Test func `a truncated copy is used up to its end`() throws {
    try scratch.write("copy", Array(film[..<(2 * Self.segment + 17)]))
    let hurt = try copy("film.mp4", hurtAt: 5, 2 * Self.segment)
    #expect(try salvage(hurt, scratch.path("copy")) == Int64(film.count - Self.segment))
  }

  @Test func `bytes fetched by an interrupted repair are not fetched again`() throws {
    try scratch.write("a.part", film)
    #expect(try salvage(copy("film.mp4", hurtAt: 5)) == Int64(film.count))
    #expect(!scratch.exists("a.part.aside"))
  }

  @Test func `a damaged file that has grown yields its original bytes`() throws {
    try scratch.write("film.mp4", film + [1, 2, 3])
    #expect(try salvage(scratch.path("film.mp4")) == Int64(film.count))
    #expect(try scratch.bytes("a.part") == film)
  }

  @Test func `without segment digests only a complete copy is used`() throws {
    let hurt = try copy("film.mp4", hurtAt: 5)
    #expect(try salvage(hurt, knowing: false) == 0)
    #expect(!scratch.exists("a.part"))
    #expect(try salvage(hurt, copy("copy"), knowing: false) == Int64(film.count))
    #expect(try scratch.bytes("a.part") == film)
  }

  @Test func `without intact bytes no files are left`() throws {
    let hurt = try copy("film.mp4", hurtAt: 5, Self.segment, 2 * Self.segment, 3 * Self.segment)
    #expect(try salvage(hurt) == 0)
    #expect(!scratch.exists("a.part") && !scratch.exists("a.part.json"))
  }

  @Test func `an unreadable copy is skipped`() throws {
    #expect(try salvage(scratch.path("none"), copy("copy")) == Int64(film.count))
  }

  @Test func `a stop leaves no files`() throws {
    let hurt = try copy("film.mp4", hurtAt: 5)
    do {
      _ = try salvage(hurt, stops: true)
      Issue.record("it went on")
    } catch let error as TransferError {
      #expect(error.code == .interrupted)
    }
    #expect(!scratch.exists("a.part") && !scratch.exists("a.part.json"))
  }

  @Test func `a full disk is reported before anything is written`() throws {
    let copy = try copy("copy")
    do {
      _ = try salvage(scratch.path("none"), copy, reserve: Int64.max / 2)
      Issue.record("there was room")
    } catch let error as TransferError {
      #expect(error.code == .diskFull)
      #expect(!scratch.exists("a.part"))
    }
  }
}
