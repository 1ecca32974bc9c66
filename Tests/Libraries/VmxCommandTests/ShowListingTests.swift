import Testing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxTestSupport

@Suite struct ShowListingTests {
  private static let now = Timestamp(seconds: 1000)

  private let scratch: ScratchFolder
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: FixedClock())
  }

  /// Stores an episode whose video has failed at its first source.
  private func addFailed(
    _ id: String, _ code: ErrorCode, _ state: PartState = .failed, more: [String] = []
  ) throws {
    let urls = ["https://one.example/\(id).mp4"] + more
    var video = Part(role: .video, variants: [Variant(sources: urls.map { Source(url: $0) })])
    (video.state, video.code) = (state, code)
    video.replace(failures: [urls[0]: code])
    var episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: "S", added: Self.now, parts: [video])
    episode.want = .fetch
    try store.update(.soon) { [episode] in $0.write(episode) }
  }

  @Test func `due episodes are those of the list`() throws {
    try addFailed("a/gone", .httpGone)
    try addFailed("a/gone-with-mirror", .httpGone, more: ["https://two.example/a.mp4"])
    try addFailed("b/broken", .mediaBroken, .damaged)
    try addFailed("b/broken-with-mirror", .mediaBroken, .damaged, more: ["https://two.example/b"])
    try addFailed("c/later", .netReset)
    let (snapshot, due) = (try store.snapshot(), DueRule(now: Self.now))
    let home = LibraryHome(scratch.path("home"))
    let parental = ParentalGuard(home, runtime: nil, clock: FixedClock())
    var listed: [String: Int] = [:]
    try snapshot.episodes(matching: EpisodeQuery()) { episode in
      if due.isDue(episode) { listed[episode.id.show, default: 0] += 1 }
      return true
    }
    let rows = try ShowListing(of: snapshot, matching: EpisodeQuery(), due, showing: parental).rows
    let counted = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.exact(.due)) })
    #expect(counted == ["a": "1", "b": "1", "c": "1"])
    #expect(listed == ["a": 1, "b": 1, "c": 1])
  }
}
