import VmxNaming
@testable import VmxVerifying
import Glibc
import Synchronization
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

struct VerificationRunTests {
  let library: VerifyingLibrary

  init() throws {
    library = try VerifyingLibrary()
  }

  /// Returns the bytes of a film; each block of 4 KiB differs from the previous ones.
  private func film(_ count: Int) -> [UInt8] {
    let page = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + page.count)
    while bytes.count < count {
      bytes += page
      bytes[bytes.count - 1] = UInt8(truncatingIfNeeded: bytes.count >> 12)
      bytes[bytes.count - 2] = UInt8(truncatingIfNeeded: bytes.count >> 20)
    }
    return Array(bytes.prefix(count))
  }

  @Test func `an intact file is recorded with its date`() throws {
    try library.add("t/a", film(100_000))
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.intact])
    #expect(try library.video("t/a")?.verifiedAt == library.clock.now)
    #expect(results[0].rev == (try library.store.snapshot().episode(EpisodeID("t/a"))?.rev))
  }

  @Test(arguments: [false, true])
  func `one wrong byte is found`(withSegments: Bool) throws {
    try library.add("t/a", film(9_000_000), withSegments: withSegments)
    try library.flip("t/a.mp4", at: 4_194_304)
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.damaged])
    #expect(results.map(\.segments) == [withSegments ? [1] : []])
    #expect(try library.video("t/a")?.state == .damaged)
  }

  // Regression: `vmx verify --json | vmx fetch --repair` did not repair a film, because verify
  // still held its claim.
  @Test func `the claim of a file is released before its result is reported`() throws {
    for round in 0..<20 {
      let id = "t/a\(round)"
      try library.add(id, film(5_000_000), withSegments: true)
      try library.flip("t/a\(round).mp4", at: 4_194_304)
    }
    _ = try library.verify(onResult: { result in
      let claim = try library.store.claims.claim(result.item.id)
      #expect(claim != nil)
      claim?.release()
    })
  }

  @Test func `matching segments prove the whole`() throws {
    try library.add("t/a", film(9_000_000), withSegments: true)
    #expect(try library.verify().map(\.verdict) == [.intact])
    #expect(try library.video("t/a")?.verifiedAt == library.clock.now)
  }

  @Test(arguments: [0, 31_999_999, 33_554_431, 33_554_432, 34_999_999])
  func `a wrong byte is found anywhere in a large file`(_ place: Int64) throws {
    try library.add("t/a", film(35_000_000), withSegments: true)
    #expect(try library.verify().map(\.verdict) == [.intact])
    try library.flip("t/a.mp4", at: place)
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.damaged])
    #expect(results.map(\.segments) == [[Int(place / SegmentMap.size)]])
  }

  /// Returns the settings of a run that writes sidecars.
  private func writingSidecars() -> VerificationSettings {
    var settings = VerificationSettings()
    settings.sidecars = SidecarWriter(mediaRoots: library.mediaRoots, nfo: .none)
    return settings
  }

  private func segments(of episode: Episode) throws -> SegmentList? {
    let part = episode.parts[0]
    return SegmentList(
      of: "video", in: episode.id, whole: try #require(part.sha256), size: try #require(part.size),
      on: library.root)
  }

  // Regression: after one damaged byte, the damaged segment was unknown, and a repair fetched the
  // whole film.
  @Test func `a missing sidecar is written again with its segments`() throws {
    let episode = try library.add("t/a", film(9_000_000))
    #expect(try library.verify().map(\.verdict) == [.intact])
    #expect(try segments(of: episode) == nil)
    #expect(try library.verify(writingSidecars()).map(\.verdict) == [.intact])
    #expect(try segments(of: episode)?.digests.count == 3)
    try library.flip("t/a.mp4", at: 5_000_000)
    #expect(try library.verify(writingSidecars()).map(\.segments) == [[1]])
  }

  @Test func `a wrong list of segments is written again`() throws {
    let episode = try library.add("t/a", film(9_000_000), withSegments: true)
    let right = try segments(of: episode)
    let name = "media/.vmx/records/t~a.json"
    let first = try #require(right?.digests.first?.hex)
    let zeros = String(repeating: "0", count: 64)
    try library.scratch.write(name, try library.scratch.text(name).replacing(first, with: zeros))
    #expect(try segments(of: episode) != right)
    #expect(try library.verify(writingSidecars()).map(\.verdict) == [.intact])
    #expect(try segments(of: episode) == right)
  }

  @Test func `no sidecar is written for an unrecorded result`() throws {
    let episode = try library.add("t/a", film(9_000_000))
    _ = try library.verify(writingSidecars(), isDryRun: true)
    #expect(try segments(of: episode) == nil)
  }

  @Test func `a wrong list of segments does not damage a file whose digest matches`() throws {
    try library.add("t/a", film(9_000_000), withSegments: true)
    let sidecar = try library.scratch.text("media/.vmx/records/t~a.json")
    let halves = sidecar.split(separator: #""list":[""#, maxSplits: 1)
    try #require(halves.count == 2)
    let text = halves[0] + #""list":["00000000"# + halves[1].dropFirst(8)
    try library.scratch.write("media/.vmx/records/t~a.json", String(text))
    #expect(try library.verify().map(\.verdict) == [.intact])
  }

  @Test func `a list of other bytes is not trusted`() throws {
    let episode = try library.add("t/a", film(9_000_000), withSegments: true)
    var other = episode
    other.parts[0].sha256 = Digest(.sha256, hex: String(repeating: "0b", count: 32))
    try library.store.update(.soon) { [other] in $0.write(other) }
    #expect(try library.verify().map(\.verdict) == [.damaged])
  }

  @Test func `quick checks sizes and records no date`() throws {
    try library.add("t/a", film(1000))
    try library.add("t/b", film(1000))
    try library.flip("t/a.mp4", at: 5)
    try #require(truncate(library.scratch.path("media/t/b.mp4").string, 10) == 0)
    var settings = VerificationSettings()
    settings.isQuick = true
    #expect(try library.verify(settings).answers == ["t/a": .intact, "t/b": .damaged])
    #expect(try library.video("t/a")?.verifiedAt == nil)
  }

  @Test func `quick verifies the bytes of files recorded as damaged`() throws {
    var episode = try library.add("t/a", film(1000))
    episode.parts[0].state = .damaged
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    try library.flip("t/a.mp4", at: 5)
    var settings = VerificationSettings()
    settings.isQuick = true
    #expect(try library.verify(settings).map(\.verdict) == [.damaged])
    try library.flip("t/a.mp4", at: 5)
    #expect(try library.verify(settings).map(\.verdict) == [.intact])
    #expect(try library.video("t/a")?.state == .ready)
  }

  @Test func `a dry run records nothing`() throws {
    try library.add("t/a", film(1000))
    try library.flip("t/a.mp4", at: 5)
    #expect(try library.verify(isDryRun: true).map(\.verdict) == [.damaged])
    #expect(try library.video("t/a")?.state == .ready)
  }

  @Test func `an episode that another process works on gets no verdict`() throws {
    try library.add("t/a", film(1000))
    try library.flip("t/a.mp4", at: 5)
    let other = try LibraryStore.open(
      LibraryHome(library.scratch.path.appending("home")), clock: library.clock)
    let claim = try #require(try other.claims.claim(EpisodeID("t/a")))
    defer { claim.release() }
    let results = try library.verify()
    #expect(results.count == 1)
    #expect(results[0].verdict == nil)
    #expect(try library.video("t/a")?.state == .ready)
  }

  @Test func `a stopped run begins nothing`() throws {
    try library.add("t/a", film(1000))
    #expect(try library.verify(shouldStop: { true }).isEmpty)
    #expect(try library.video("t/a")?.verifiedAt == nil)
  }

  @Test func `a reader that exits ends the run`() throws {
    for number in 0..<50 { try library.add("t/\(number)", film(100)) }
    let snapshot = try library.store.snapshot()
    let run = VerificationRun(library.tools, settings: VerificationSettings())
    #expect(throws: Errno.brokenPipe) {
      _ = try run.perform { enqueue in
        snapshot.summaries { enqueue(VerificationItem.all(of: $0)) }
      } report: { _ in
        throw Errno.brokenPipe
      }
    }
  }
}
