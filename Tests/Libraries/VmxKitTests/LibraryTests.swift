import SystemPackage
import Testing
import VmxKit
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

struct LibraryTests {
  private let scratch: ScratchLibrary
  private let library: VmxKit.Library

  init() throws {
    scratch = try ScratchLibrary()
    library = try VmxKit.Library(home: scratch.store.home.folder.string)
  }

  @Test func `a library without a store has no episodes`() async throws {
    #expect(try await library.snapshot().episodes.isEmpty)
    #expect(try scratch.store.snapshot().hasEpisodes == false)
  }

  @Test func `a snapshot has the episodes as values, and the path of a file is absolute`()
    async throws
  {
    var placed = try scratch.placed()
    placed.text.number = 1
    placed.text.date = CalendarDay("2026-11-29")
    placed.text.duration = 61_500
    try write(placed)
    let snapshot = try await library.snapshot()
    let episode = try #require(snapshot.episodes.first)
    #expect(snapshot.episodes.count == 1)
    #expect(episode.id == "show/a")
    #expect(episode.show == "show")
    #expect(episode.showTitle == "Show")
    #expect(episode.title == "A")
    #expect(episode.number == 1)
    #expect(episode.season == nil)
    #expect(episode.date == "2026-11-29")
    #expect(episode.duration == .milliseconds(61_500))
    #expect(episode.state == .ready)
    #expect(episode.want == .fetch)
    #expect(episode.parts.map(\.name) == ["video"])
    #expect(episode.parts.map(\.size) == [4])
    let path = try await library.path(of: episode.id)
    #expect(path == scratch.scratch.path(ScratchLibrary.film).string)
  }

  @Test func `an error has the code, the sentence and the hint of the tools`() async throws {
    try write(try .sample(.failed))
    let unknown = await #expect(throws: LibraryError.self) { try await library.path(of: "a/b") }
    #expect(unknown?.code == "no-such-episode")
    let noFile = await #expect(throws: LibraryError.self) { try await library.path(of: "show/a") }
    #expect(noFile?.code == "no-file")
    #expect(noFile?.description == "error[no-file]: 'video' of 'show/a' has no file yet")
    let noPart = await #expect(throws: LibraryError.self) {
      try await library.path(of: "show/a", part: "image")
    }
    #expect(noPart?.message == "'show/a' has no part 'image'")
    let relative = #expect(throws: LibraryError.self) { try VmxKit.Library(home: "library") }
    #expect(relative?.code == "bad-setting")
  }

  @Test func `changes begin at the snapshot, and have what was added, changed and removed`()
    async throws
  {
    try write(try .sample(.new))
    let snapshot = try await library.snapshot()
    try write(try .sample(.failed))
    try scratch.store.update(.soon) { $0.delete(.episode, "never/seen") }
    var changes = library.changes(after: snapshot).makeAsyncIterator()
    guard case .updated(let episode) = try await changes.next() else {
      Issue.record("no change")
      return
    }
    #expect(episode.state == .failed)
    try scratch.store.update(.soon) { $0.delete(.episode, "show/a") }
    #expect(try await changes.next() == .removed("show/a"))
  }

  @Test func `changes end with their task`() async throws {
    let changes = library.changes(after: try await library.snapshot())
    let task = Task { () throws -> Int in
      var count = 0
      for try await _ in changes { count += 1 }
      return count
    }
    task.cancel()
    #expect(try await task.value == 0)
  }

  @Test func `an episode above the limit of parental control is not there`() async throws {
    let placed = try scratch.placed()
    let before = try await library.snapshot()
    var settings = ParentalSettings(limit: 6, unrated: .hide, set: scratch.clock.now)
    settings.hash = "hash"
    try scratch.store.parental.save(settings)
    #expect(before.episodes.count == 1)
    #expect(try await library.snapshot().episodes.isEmpty)
    let refused = await #expect(throws: LibraryError.self) { try await library.path(of: "show/a") }
    #expect(refused?.code == "parental")
    var changes = library.changes(after: before).makeAsyncIterator()
    try write(placed)
    try scratch.store.update(.soon) { $0.delete(.episode, "show/a") }
    #expect(try await changes.next() == .removed("show/a"))
  }

  // The example of the documentation is a program of its own.
  @Test func `the example prints the episodes with their files, and then each change`() throws {
    let placed = try scratch.placed()
    let output = scratch.scratch.path("output")
    let process = try ChildProcess(
      try BuiltProgram.path("kit-example"), [],
      environment: ["VMX_HOME": scratch.store.home.folder.string],
      streams: .init(output: output, error: scratch.scratch.path("errors")))
    // The program begins to follow at a time of its own, so the changes are repeated until it ends.
    var ending: ChildProcess.Ending?
    for number in 0..<600 where ending == nil {
      var changed = placed
      changed.title = "\(number)"
      try write(changed)
      var end = try VmxModel.Episode.sample(.new)
      end.id = try EpisodeID("end/\(number)")
      try write(end)
      ending = process.wait(seconds: 0.1)
    }
    process.kill(9)
    #expect(ending == .exited(0))
    let lines = try scratch.scratch.text("output").split(separator: "\n")
    let film = scratch.scratch.path(ScratchLibrary.film).string
    #expect(lines.first == "show/a ready \(film)")
    #expect(lines.dropFirst().allSatisfy { $0 == "show/a is now ready" || $0.hasPrefix("end/") })
  }

  private func write(_ episode: VmxModel.Episode) throws {
    try scratch.store.update(.soon) { $0.write(episode) }
  }
}
