import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxCatalogue

struct FeedLinkingTests {
  private let folder: ScratchFolder
  private let store: LibraryStore
  private let clock = FixedClock()

  init() throws {
    folder = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(folder.path("home")), clock: clock)
    _ = try Subscriptions(store).add(
      Subscription(id: "", url: "https://example.org/feed", title: "Feed"))
  }

  private func put(_ id: String, number: Int64?, feed: String? = "feed") throws {
    var episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: "Feed", added: clock.now, parts: [])
    episode.number = number
    episode.feed = feed
    if feed == nil, let number {
      episode.identity = [.numbered(show: "show", season: 1, number: number)]
    }
    let stored = episode
    _ = try store.update(.durable) { $0.write(stored) }
  }

  private func link(_ slug: String?) throws -> FeedLinking.Linked? {
    var show = slug.map { LibraryShow(slug: $0, title: "Title of \($0)") }
    show?.tvmaze = slug == nil ? nil : 7
    return try FeedLinking(store).link("feed", to: show)
  }

  private func episode(_ id: String) throws -> Episode? {
    try store.snapshot().episode(try EpisodeID(id))
  }

  private func key(_ show: String, _ number: Int64) -> IdentityKey {
    .numbered(show: show, season: 1, number: number)
  }

  @Test func `episodes keep their ids, and are matched by their number in the show`() throws {
    try put("feed/s01e01", number: 1)
    try put("feed/extra", number: nil)
    try put("other/s01e01", number: 1, feed: "another")
    let linked = try #require(try link("show"))
    #expect(
      linked.isChanged && linked.feed.show == Slug(valid: "show") && linked.duplicates.isEmpty)
    let one = try #require(try episode("feed/s01e01"))
    #expect(one.identity == [key("show", 1)] && one.showTitle == "Title of show")
    #expect(try episode("feed/extra")?.identity == [])
    #expect(try episode("other/s01e01")?.showTitle == "Feed")
    let seq = try store.snapshot().record(.feed, "feed")?.seq
    #expect(try link("show")?.isChanged == false)
    #expect(try store.snapshot().record(.feed, "feed")?.seq == seq)
  }

  @Test func `another show replaces the first, and unlinking restores the title of the feed`()
    throws
  {
    try put("feed/s01e01", number: 1)
    _ = try link("show")
    #expect(throws: Failure.self) {
      var show = LibraryShow(slug: "show", title: nil)
      show.tvmaze = 8
      _ = try FeedLinking(store).link("feed", to: show)
    }
    _ = try link("second")
    #expect(try episode("feed/s01e01")?.identity == [key("second", 1)])
    #expect(try link(nil)?.feed.show == nil)
    let one = try #require(try episode("feed/s01e01"))
    #expect(one.identity.isEmpty && one.showTitle == "Feed")
  }

  @Test func `an episode that the show already has is reported, and keeps its keys`() throws {
    try put("show/s01e01", number: 1, feed: nil)
    try put("feed/s01e01", number: 1)
    let doubles = try #require(try link("show")).duplicates
    #expect(doubles.map { "\($0.feed) \($0.show)" } == ["feed/s01e01 show/s01e01"])
    #expect(try episode("feed/s01e01")?.identity == [])
  }

  @Test func `a removed feed is not found`() throws {
    try Subscriptions(store).remove("feed")
    #expect(try link("show") == nil)
  }
}
