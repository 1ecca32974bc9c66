import Synchronization
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport
@testable import VmxCatalogue

struct FeedUpdaterTests {
  private let folder: ScratchFolder
  private let store: LibraryStore
  private let clock = FixedClock()
  private let checks: FeedChecks

  init() throws {
    folder = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(folder.path("home")), clock: clock)
    checks = FeedChecks(cache: folder.path("cache"), home: folder.path("home"))
  }

  /// Returns an updater whose network has one document, modified according to the requests.
  private func updater(
    _ answer: @escaping @Sendable (HTTPRequest) throws -> HTTPResponse?
  ) -> FeedUpdater {
    FeedUpdater(store: store, clock: clock, checks: checks) { request in
      if let document = try answer(request) { return document }
      return HTTPResponse(status: 304, bytes: [], url: request.url)
    }
  }

  private func document(_ items: [Int], extra: String = "") -> HTTPResponse {
    let items = items.map {
      "<item><title>T\($0)</title><guid>\($0)</guid><enclosure url='\($0).mp4'/></item>"
    }
    return HTTPResponse(
      bytes: Array("<rss><channel>\(extra)\(items.joined())</channel></rss>".utf8),
      url: "https://example.org/feed")
  }

  private func feed(_ want: WantRule) throws -> Subscription {
    var feed = Subscription(id: "", url: "https://example.org/feed", title: "Show")
    feed.want = want
    return try Subscriptions(store).add(feed).feed
  }

  /// Updates the feed and returns the numbers of the added episodes and of the wanted ones.
  private func update(_ updater: FeedUpdater) throws -> (added: [String], wanted: [String]) {
    var (added, wanted): ([String], [String]) = ([], [])
    let feeds = try Subscriptions(store).all().feeds
    try updater.update(feeds, FeedDownload.Options(now: clock.now)) { _, effect in
      guard case .imported(let taken) = effect, taken.verdict == .added else { return }
      added.append(taken.episode.title)
      if taken.episode.want == .fetch { wanted.append(taken.episode.title) }
    } ended: { ended in
      if case .failed(let failure) = ended.result { throw failure }
      return true
    }
    return (added, wanted)
  }

  @Test(arguments: [
    (WantRule.none, [String](), [String]()), (.all, ["T1", "T2", "T3"], ["T4"]),
    (.new, [], ["T4"]), (.latest(1), ["T1"], ["T4"]), (.latest(2), ["T1", "T2"], ["T4"]),
  ])
  func `a rule applies to episodes of the first update and of later ones`(
    _ rule: WantRule, _ first: [String], _ later: [String]
  ) throws {
    _ = try feed(rule)
    let one = try update(updater { _ in document([1, 2, 3]) })
    // The oldest item is added first.
    #expect(one.added == ["T3", "T2", "T1"])
    #expect(one.wanted.sorted() == first)
    let two = try update(updater { _ in document([4, 1, 2, 3]) })
    #expect(two.added == ["T4"])
    #expect(two.wanted == later)
  }

  @Test func `a document with the same bytes is not read again`() throws {
    _ = try feed(.all)
    let updater = updater { _ in document([1]) }
    _ = try update(updater)
    let seq = try store.snapshot().record(.feed, "show")?.seq
    #expect(try update(updater).added.isEmpty)
    #expect(try store.snapshot().record(.feed, "show")?.seq == seq)
  }

  @Test func `validators of the last document are sent, but not those before a changed rule`()
    throws
  {
    _ = try feed(.all)
    let asked = Mutex<[String?]>([])
    let updater = updater { request in
      asked.withLock { $0.append(request.validators.etag) }
      var document = document([1])
      document.validators = Validators(etag: "\"a\"")
      return request.validators.etag == nil ? document : nil
    }
    _ = try update(updater)
    _ = try update(updater)
    _ = try Subscriptions(store).change("show") { $0.want = .new }
    _ = try update(updater)
    #expect(asked.withLock { $0 } == [nil, "\"a\"", nil])
  }

  // Regression: such a feed was requested at its old URL for ever.
  @Test func `a permanent move is recorded although the document is unchanged`() throws {
    _ = try feed(.all)
    var etag = HTTPResponse(bytes: document([1]).bytes, url: "https://example.org/feed")
    etag.validators = Validators(etag: "\"a\"")
    _ = try update(updater { [etag] _ in etag })
    let moved = updater { request in
      var document = HTTPResponse(status: 304, bytes: [], url: "https://example.org/new")
      document.movedTo = request.url.hasSuffix("/feed") ? "https://example.org/new" : nil
      return document
    }
    _ = try update(moved)
    let feed = try Subscriptions(store).named("https://example.org/new")
    #expect(feed.origin == "https://example.org/feed")
    let seq = try store.snapshot().record(.feed, feed.id)?.seq
    #expect(checks.last(of: feed)?.validators.etag == "\"a\"")
    _ = try update(moved)
    #expect(try store.snapshot().record(.feed, feed.id)?.seq == seq)
  }

  @Test func `a feed that moves keeps its episodes, and its secret stays with the origin`() throws {
    var feed = try feed(.all)
    let secret = try store.secrets.save(Secret(user: "me", password: "word"))
    feed = try #require(try Subscriptions(store).change(feed.id) { $0.secret = secret })
    _ = try update(
      updater { _ in
        var document = document([1])
        document.movedTo = "https://other.org/feed"
        return document
      })
    feed = try Subscriptions(store).named("https://other.org/feed")
    #expect(feed.secret == nil)
    #expect(feed.isForeign)
    #expect(try Subscriptions(store).named("https://example.org/feed").id == feed.id)
    #expect(try update(updater { _ in document([1], extra: "<ttl>1</ttl>") }).added.isEmpty)
  }

  @Test func `a feed is due by its own interval, the setting, or the publisher's`() throws {
    _ = try feed(.none)
    let updater = updater { _ in document([1], extra: "<ttl>120</ttl>") }
    #expect(try updater.isDue(Subscriptions(store).named("show"), interval: 1000))
    _ = try update(updater)
    let feed = try Subscriptions(store).named("show")
    #expect(try !updater.isDue(feed, interval: 1000))
    clock.advance(milliseconds: 119 * 60_000)
    #expect(try !updater.isDue(feed, interval: 1000))
    clock.advance(milliseconds: 60_000)
    #expect(try updater.isDue(feed, interval: 1000))
    #expect(try !updater.isDue(feed, interval: 86_400_000))
  }

  @Test func `an item lost between two batches is added by the next run, by the first rule`() throws
  {
    _ = try feed(.new)
    struct Killed: Error {}
    let items = Array(1...600)
    #expect(throws: Killed.self) {
      let feeds = try Subscriptions(store).all().feeds
      try updater { _ in document(items) }.update(feeds, FeedDownload.Options(now: clock.now)) {
        _, _ in
        throw Killed()
      } ended: { _ in
        true
      }
    }
    let rest = try update(updater { _ in document(items) })
    #expect(rest.added.count == 100)
    #expect(rest.wanted.isEmpty)
  }

  // Regression: a dry run decided by rules of its own. It added items of one URL twice, and
  // reported neither ambiguous items nor episodes that a catalogue had described.
  @Test func `a dry run reports what the update then does`() throws {
    func item(_ guid: String, _ url: String, _ more: String = "") -> String {
      "<item><title>T\(guid)</title><guid>\(guid)</guid><enclosure url='\(url).mp4'/>\(more)</item>"
    }
    var feed = try feed(.all)
    let secret = try store.secrets.save(Secret(user: "me", password: "word"))
    feed = try #require(try Subscriptions(store).change(feed.id) { $0.secret = secret })
    _ = try update(updater { _ in document([1, 2]) })
    var described = EpisodeDescription()
    (described.title, described.show, described.fills) = ("Third", "show", true)
    (described.season, described.number) = (1, 3)
    _ = try EpisodeBatchImporter(store: store, clock: clock).add([described], isTyped: false)
    let later = HTTPResponse(
      bytes: Array(
        """
        <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
        \(item("1", "2"))\(item("2", "2"))\(item("3", "3", "<itunes:episode>3</itunes:episode>"))
        \(item("4", "4"))\(item("5", "4"))</channel></rss>
        """.utf8), url: "https://example.org/feed")

    func effects(isDryRun: Bool) throws -> [String] {
      var effects: [String] = []
      let updater = updater { _ in later }
      try (isDryRun ? updater.dryRun : updater).update(
        [feed], FeedDownload.Options(now: clock.now)
      ) { _, effect in
        switch effect {
        case .imported(let taken): effects.append("\(taken.verdict) \(taken.episode.id)")
        case .failed(let failure, let title): effects.append("\(failure.code) \(title)")
        }
      } ended: { _ in
        true
      }
      return effects
    }
    let planned = try effects(isDryRun: true)
    #expect(try effects(isDryRun: false) == planned)
    // Its guid is that of one episode and its URL that of another one: the title settles it.
    #expect(planned.contains("updated show/t1"))
    #expect(planned.contains("updated show/s01e03"))
    #expect(planned.filter { $0.hasPrefix("added") }.count == 1)
    #expect(!planned.contains("updated show/t2"))
  }

  // Regression: the known feeds were read before the lock, and under it only ids of the same title
  // were compared.
  @Test func `concurrent subscriptions to one URL under different titles add one feed`()
    async throws
  {
    let urls = (0..<20).map { "https://example.org/\($0)" }
    try await withThrowingTaskGroup { group in
      for title in ["A", "B", "C", "D"] {
        group.addTask { [home = folder.path("home"), clock] in
          let store = try LibraryStore.open(LibraryHome(home), clock: clock)
          for url in urls {
            _ = try Subscriptions(store).add(Subscription(id: "", url: url, title: title))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Subscriptions(store).all().feeds.map(\.url).sorted() == urls.sorted())
  }
}
