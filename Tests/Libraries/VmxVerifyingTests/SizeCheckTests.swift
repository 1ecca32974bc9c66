import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport
import VmxVerifying

struct SizeCheckTests {
  let library: VerifyingLibrary

  init() throws { library = try VerifyingLibrary() }

  private func change(_ id: String, _ change: (inout Part) -> Void) throws {
    try library.store.update(.soon) { transaction in
      guard var episode = try transaction.episode(EpisodeID(id)) else { return }
      change(&episode.parts[0])
      transaction.write(episode)
    }
  }

  private func run(_ settings: VerificationSettings) -> VerificationRun {
    VerificationRun(library.tools, settings: settings)
  }

  private func quick() -> VerificationSettings {
    var settings = VerificationSettings()
    settings.isQuick = true
    settings.reportsIntact = false
    return settings
  }

  @Test func `only files that differ from their records are left for a full check`() throws {
    let ids = ["t/a", "t/gone", "t/b", "t/short", "t/new", "t/hurt", "t/away", "t/c"]
    for (place, id) in ids.enumerated() { try library.add(id, [UInt8(place), 2, 3]) }
    try #require(unlink(library.scratch.path("media/t/gone.mp4").string) == 0)
    try library.scratch.write("media/t/short.mp4", [1])
    try change("t/new") { $0.state = .new }
    try change("t/hurt") { $0.state = .damaged }
    try change("t/away") { $0.root = "1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10" }
    let run = run(quick())
    let skipFilter = run.skipFilter
    try #require(skipFilter != nil)
    let snapshot = try library.store.snapshot()
    var left: [String] = []
    snapshot.summaries(unless: skipFilter) { summary in
      left.append(summary.id.description)
      return true
    }
    // After a file with an unreachable root, the following files are not checked together either.
    #expect(left == ["t/gone", "t/short", "t/hurt", "t/away", "t/c"])
    var answers: [String: Verdict?] = [:]
    let end = try run.perform { enqueue in
      snapshot.summaries(unless: skipFilter) { enqueue(VerificationItem.all(of: $0)) }
    } report: {
      answers[$0.item.id.description] = $0.verdict
    }
    #expect(
      answers == [
        "t/gone": .missing, "t/short": .damaged, "t/hurt": .intact, "t/away": .unreachable,
      ])
    // Two groups of two files passed by the size check, and one file that it left over.
    #expect(end.intact == 5)
  }

  private func left(by run: VerificationRun) throws -> [String] {
    let skipFilter = run.skipFilter
    try #require(skipFilter != nil)
    var left: [String] = []
    try library.store.snapshot().summaries(unless: skipFilter) { summary in
      left.append(summary.id.description)
      return true
    }
    return left
  }

  @Test func `all files of an episode are checked, including those of replaced lines`()
    throws
  {
    for id in ["t/a", "t/b", "t/c"] {
      try library.add(id, [1])
      try library.scratch.write("media/\(id).jpg", [1, 2])
      try library.store.update(.soon) { transaction in
        guard var episode = try transaction.episode(EpisodeID(id)) else { return }
        var image = episode.parts[0]
        image.role = .image
        image.path = "\(id).jpg"
        image.size = ByteCount(2)
        episode.parts += [image, Part(role: .metadata, variants: [])]
        transaction.write(episode)
      }
    }
    try library.scratch.write("media/t/b.jpg", [1])
    #expect(try left(by: run(quick())) == ["t/b"])
  }

  @Test func `a file without a recorded size must only exist`() throws {
    try library.add("t/a", [1])
    try library.add("t/b", [1])
    for id in ["t/a", "t/b"] { try change(id) { $0.size = nil } }
    try #require(unlink(library.scratch.path("media/t/b.mp4").string) == 0)
    #expect(try left(by: run(quick())) == ["t/b"])
  }

  @Test func `a folder or symbolic link is checked in full`() throws {
    for id in ["t/folder", "t/link"] { try library.add(id, [1]) }
    try library.scratch.write("outside", [1])
    let outside = library.scratch.path("outside")
    try change("t/folder") { $0.path = "t" }
    let link = library.scratch.path("media/t/link.mp4").string
    try #require(unlink(link) == 0 && symlink(outside.string, link) == 0)
    #expect(try left(by: run(quick())) == ["t/folder", "t/link"])
  }

  @Test(arguments: [
    "/etc/passwd", "../outside", "t/nul.mp4\0/more", "", "a/..", "a/../b",
    String(repeating: "x", count: 256),
  ])
  func `for a record that leaves its root the previous line applies`(path: String) throws {
    try library.add("t/a", [1])
    try library.scratch.write("outside", [1])
    try change("t/a") { $0.path = path }
    #expect(try left(by: run(quick())) == [])
    // Opens the store a second time, because the first instance does not read back its own records.
    let other = try LibraryStore.open(library.store.home, clock: library.clock)
    #expect(try other.snapshot().episode(EpisodeID("t/a"))?.parts[0].path == "t/a.mp4")
  }

  // The name of the part is derived from the language, and file names from the name of the part.
  @Test func `for a record with an invalid language the previous line applies`() throws {
    try library.add("t/a", [1])
    try change("t/a") { $0.language = String(repeating: "x", count: 36) }
    #expect(try left(by: run(quick())) == [])
    let other = try LibraryStore.open(library.store.home, clock: library.clock)
    #expect(try other.snapshot().episode(EpisodeID("t/a"))?.parts[0].language == nil)
  }

  @Test func `a stopped check reads nothing more`() throws {
    try library.add("t/a", [1])
    let run = VerificationRun(library.tools(library.store) { true }, settings: quick())
    #expect(try left(by: run) == ["t/a"])
  }

  @Test func `if each file counts there is no skipFilter`() {
    var settings = quick()
    settings.reportsIntact = true
    #expect(run(settings).skipFilter == nil)
    settings = quick()
    settings.budget = ByteCount(10)
    #expect(run(settings).skipFilter == nil)
    settings = quick()
    settings.milliseconds = 10
    #expect(run(settings).skipFilter == nil)
    settings = quick()
    settings.isQuick = false
    #expect(run(settings).skipFilter == nil)
  }
}
