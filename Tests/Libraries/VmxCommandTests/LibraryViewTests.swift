import Glibc
import SystemPackage
import Testing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxTestSupport

@Suite struct LibraryViewTests {
  private let scratch: ScratchFolder
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: FixedClock())
    try scratch.makeFolder("media/.vmx")
    try scratch.write("media/.vmx/root.json", "{}")
    try scratch.write("media/a.mp4", "film")
    let folder = scratch.path("media").string
    let episode = try Self.episode()
    try store.update(.soon) { transaction in
      let fields = JSONObject(distinct: [("path", .string(folder))])
      transaction.write(StoredRecord(kind: .root, id: "r", fields: fields))
      transaction.write(episode)
      transaction.writeAlias(try EpisodeID("old/id"), episode.id)
    }
  }

  private static func episode() throws -> Episode {
    var video = Part(role: .video, variants: [])
    video.state = .ready
    video.root = "r"
    video.path = "a.mp4"
    video.size = ByteCount(4)
    return Episode(
      id: try EpisodeID("a/b"), title: "T", showTitle: "S", added: Timestamp(seconds: 0),
      parts: [video])
  }

  private func view() throws -> LibraryView {
    LibraryView(try store.snapshot(), DueRule(now: Timestamp(seconds: 0)))
  }

  @Test func `an episode is found by its id and by its previous ids`() throws {
    #expect(try view().episode(named: "a/b").id.description == "a/b")
    #expect(try view().episode(named: "old/id").id.description == "a/b")
  }

  @Test(arguments: ["no/such", "not an id", ""])
  func `an unknown episode is reported as no-such-episode`(text: String) throws {
    let failure = #expect(throws: Failure.self) { try view().episode(named: text) }
    #expect(failure?.code == .noSuchEpisode)
  }

  @Test func `files are named by the folder of their root`() throws {
    let view = try view()
    let episode = try view.episode(named: "a/b")
    #expect(view.row(of: episode).exact(.path) == scratch.path("media/a.mp4").string)
  }

  @Test func `received bytes come from the progress`() throws {
    try store.update(.soon) { transaction in
      var episode = try Self.episode()
      episode.parts[0].state = .partial
      transaction.write(episode)
      let fields = JSONObject(distinct: [("bytes", 3), ("total", 4)])
      transaction.write(StoredRecord(kind: .progress, id: "a/b", fields: fields))
    }
    let view = try view()
    #expect(view.row(of: try view.episode(named: "a/b")).exact(.completedBytes) == "3")
  }
}
