@testable import VmxRemoving
import Glibc
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

@Suite struct CleaningPlannerTests {
  private let library: CleaningLibrary

  init() throws {
    library = try CleaningLibrary()
  }

  @Test func `a library in step leads to nothing`() throws {
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    #expect(try library.steps().isEmpty)
  }

  // Regression: the command deleted as much as possible permanently, with status 0.
  @Test func `room that nothing can make is refused, with what could be freed`() throws {
    try library.scratch.write("media/a.mp4", "12345")
    try library.put("t/a", at: "a.mp4") { $0.isWatched = true }
    try library.scratch.write("media/b.mp4", "12345")
    try library.put("t/b", at: "b.mp4")
    var rules = RetentionRules()
    rules.free = ByteCount(clamping: .max)
    let failure = #expect(throws: Failure.self) { try library.steps(rules) }
    #expect(failure?.code == .freeUnreachable)
    #expect(failure?.summary.contains("5 B in removable episodes") == true)
    #expect(failure?.hint.contains("add '--unwatched' for 5 B") == true)
    rules.free = ByteCount(clamping: 1)
    #expect(try library.steps(rules).isEmpty)
  }

  @Test func `a name that the disk gives in another way is neither lost nor unknown`() throws {
    try library.scratch.write("media/Show/a.mp4", "12345")
    // Imitates a disk that ignores case: the file is recorded by this name and listed by the other.
    try library.put("t/a", at: "Show//a.mp4")
    #expect(try library.steps().isEmpty)
  }

  @Test func `a file of the size of one that is being placed is not called unknown`() throws {
    try library.scratch.write("media/Show/a (2).mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4") { $0.parts[0].state = .checked }
    #expect(try library.steps().isEmpty)
  }

  @Test func `nothing is missing behind a link of the person's`() throws {
    try library.scratch.makeFolder("disk")
    _ = library.scratch.path("media/Show").withPlatformString { symlink("../disk", $0) }
    try library.put("t/a", at: "Show/a.mp4")
    #expect(try library.steps().isEmpty)
  }

  @Test func `the sidecar of a record that is lost stays while a file of it is there`() throws {
    let digest = String(repeating: "ab", count: 32)
    try makeFilesOld()
    try library.scratch.write("media/a.mp4", "other bytes")
    try library.scratch.write(
      "media/.vmx/records/t~a.json",
      """
      {"id":"t/a","record":{"parts":[{"path":"a.mp4","size":5,"sha256":"\(digest)",\
      "variants":[]}]}}
      """)
    #expect(try library.steps().map(\.kind) == [.unknownFile])
    try library.scratch.write("media/.vmx/records/t~b.json", "{}")
    #expect(try library.steps().map(\.kind) == [.unknownFile, .dropSidecar])
    // Regression: a sidecar that this version cannot decode counted as one without files.
    for text in ["no JSON", #"{"id":"t/b","record":{"parts":"none"}}"#] {
      try library.scratch.write("media/.vmx/records/t~b.json", text)
      #expect(try library.steps().map(\.kind) == [.unknownFile])
    }
  }

  // Regression: after a kill during a rename, the sidecar remained for a day.
  @Test func `the sidecar of a former id goes at once if the present id has one`() throws {
    try library.scratch.write("media/b.mp4", "12345")
    try library.put("t/b", at: "b.mp4")
    try library.scratch.write("media/.vmx/records/t~a.json", "{}")
    #expect(try library.steps().isEmpty)
    try library.again().update(.durable) { try $0.writeAlias(EpisodeID("t/a"), EpisodeID("t/b")) }
    #expect(try library.steps().map(\.kind) == [.dropSidecar])
  }

  @Test func `unfinished bytes go when they are old, and not by a clock that is suspect`() throws {
    let name = "media/.vmx/partial/00000000000000aa-video.part"
    try library.scratch.write(name, "x")
    #expect(try library.steps().isEmpty)
    try makeFilesOld()
    #expect(try library.steps().map(\.kind) == [.dropPartial])
    library.clock.advance(milliseconds: 401 * 86_400_000)
    #expect(try library.steps().isEmpty)
  }

  // Regression: the sidecar was never written again, and the digests of its segments were lost.
  @Test func `a sidecar that is not there is written from the record`() throws {
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    _ = library.scratch.path("media/.vmx/records/t~a.json").withPlatformString { unlink($0) }
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.writeSidecar])
    #expect(try library.perform(steps) == [.done])
    let sidecar = try library.scratch.text("media/.vmx/records/t~a.json")
    #expect(sidecar.contains(#""path":"Show/a.mp4""#))
    #expect(try library.scratch.text("media/Show/a.nfo").contains("<uniqueid"))
    #expect(try library.steps().isEmpty)
  }

  // Regression: the file was reported as unknown, and `--foreign` moved it to the trash.
  @Test func `the NFO file that vmx wrote is not unknown where it was left behind`() throws {
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    _ = library.scratch.path("media/.vmx/records/t~a.json").withPlatformString { unlink($0) }
    _ = try library.perform(try library.steps())
    try library.scratch.write("media/New/a.mp4", "12345")
    _ = library.scratch.path("media/Show/a.mp4").withPlatformString { unlink($0) }
    let store = try library.again()
    try store.update(.durable) { transaction in
      guard var episode = try transaction.episode(EpisodeID("t/a")) else { return }
      episode.parts[0].path = "New/a.mp4"
      transaction.write(episode)
    }
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.writeSidecar])
    #expect(try library.perform(steps) == [.done])
    #expect(try library.isThere("media/New/a.nfo") && !library.isThere("media/Show/a.nfo"))
  }

  @Test func `an NFO file that a person has changed is unknown where it was left behind`() throws {
    try library.scratch.write("media/Show/a.mp4", "12345")
    try library.put("t/a", at: "Show/a.mp4")
    try library.scratch.write(
      "media/c.nfo", #"<uniqueid type="vmx" default="true">t/a</uniqueid>"#)
    // Another tool may be about to write the sidecar that confirms it.
    #expect(try library.steps().isEmpty)
    try makeFilesOld()
    #expect(try library.steps().map(\.kind) == [.unknownFile])
  }

  // Regression: the second check against the store compared only the paths of the records, and
  // 'clean --foreign' removed an NFO file that a fetch had just published.
  @Test func `an NFO file beside a video published during the walk is not unknown`() throws {
    let library = library
    let rules = TrashRules(
      keep: 86_400_000, quota: .percent(100), reserve: ByteCount(clamping: 0))
    let tools = LibraryTools(
      try library.again(), clock: library.clock, tool: "clean",
      shouldStop: {
        // Called before each folder: between the first and the second check against the store.
        do {
          try library.scratch.write("media/Show/a.mp4", "12345")
          try library.scratch.write("media/Show/a.nfo", "published")
          try library.put("t/a", at: "Show/a.mp4")
          return false
        } catch {
          return true
        }
      })
    let planner = CleaningPlanner(
      tools, options: CleaningOptions(trash: rules), now: library.clock.now)
    let unknown = try planner.steps().filter { $0.kind == .unknownFile }
    #expect(unknown.isEmpty)
  }

  /// Advances the time by decades; the store accepts it.
  private func makeFilesOld() throws {
    library.clock.advance(milliseconds: 3_000_000_000_000)
    try library.scratch.write("media/b.mp4", "12345")
    try library.put("t/new", at: "b.mp4")
  }
}
