import Synchronization
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport
@testable import VmxCatalogue

@testable import VmxStore

/// What counts as evidence that the items of a feed are in the library, and that a feed has moved.
struct FeedEvidenceTests {
  private let folder: ScratchFolder
  private let clock = FixedClock()
  private let checks: FeedChecks

  init() throws {
    folder = try ScratchFolder()
    checks = FeedChecks(cache: folder.path("cache"), home: folder.path("home"))
  }

  private func open() throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(folder.path("home")), clock: clock)
  }

  /// Returns a document with the given items and an `ETag` made of them.
  private static func document(
    _ items: [Int], extra: String = "", at url: String = "https://example.org/feed"
  ) -> HTTPResponse {
    let text = items.map {
      "<item><title>T\($0)</title><guid>\($0)</guid><enclosure url='\($0).mp4'/></item>"
    }
    var document = HTTPResponse(
      bytes: Array("<rss><channel>\(extra)\(text.joined())</channel></rss>".utf8), url: url)
    document.validators = Validators(etag: "\"\(items)\(extra)\"")
    return document
  }

  /// Returns an updater whose server has these documents by URL, and answers 304 to their `ETag`.
  private func updater(
    _ store: LibraryStore, _ documents: [String: HTTPResponse]
  ) -> FeedUpdater {
    FeedUpdater(store: store, clock: clock, checks: checks) { request in
      guard var document = documents[request.url] else {
        throw Failure(.httpGone, "'\(request.url)' is gone")
      }
      if request.validators.etag == document.validators.etag { document.status = 304 }
      return document
    }
  }

  @discardableResult
  private func update(
    _ store: LibraryStore, _ documents: [String: HTTPResponse]
  ) throws -> [FeedUpdater.Ended] {
    var results: [FeedUpdater.Ended] = []
    try updater(store, documents).update(
      try Subscriptions(store).all().feeds, FeedDownload.Options(now: clock.now)
    ) { _, _ in
    } ended: {
      results.append($0)
      return true
    }
    return results
  }

  private func update(_ store: LibraryStore, _ items: [Int]) throws -> [FeedUpdater.Ended] {
    try update(store, ["https://example.org/feed": Self.document(items)])
  }

  private func follow(_ want: WantRule = .all) throws -> LibraryStore {
    let store = try open()
    var feed = Subscription(id: "", url: "https://example.org/feed", title: "Show")
    feed.want = want
    _ = try Subscriptions(store).add(feed)
    return store
  }

  private func titles(_ store: LibraryStore) throws -> [String] {
    var titles: [String] = []
    try store.snapshot().episodes(matching: EpisodeQuery()) {
      titles.append($0.title)
      return true
    }
    return titles.sorted()
  }

  private func feed(_ store: LibraryStore) throws -> Subscription {
    try #require(try Subscriptions(store).all().feeds.first)
  }

  // Regression: the cache said "unchanged", and the items of yesterday never appeared.
  @Test func `a home restored beside a newer cache reads the whole feed again`() throws {
    var store = try follow()
    _ = try update(store, [1, 2])
    let backup = try #require(try readFile(store.home.store, limit: ByteCount(clamping: 1 << 20)))
    _ = try update(store, [3, 1, 2])
    #expect(try titles(store) == ["T1", "T2", "T3"])
    try AtomicFile.replace(store.home.store, with: backup, durable: false)
    store = try open()
    #expect(try titles(store) == ["T1", "T2"])
    _ = try update(store, [3, 1, 2])
    #expect(try titles(store) == ["T1", "T2", "T3"])
  }

  // Regression: the answer "unchanged" hid the item for ever.
  @Test func `an episode whose record was removed is found again`() throws {
    let store = try follow()
    _ = try update(store, [1, 2])
    _ = try update(store, [1, 2])
    var id: EpisodeID?
    try store.snapshot().episodes(matching: EpisodeQuery()) {
      id = $0.id; return false
    }
    let removed = try #require(id)
    _ = try store.update(.durable) { $0.forget(removed) }
    #expect(try titles(store).count == 1)
    _ = try update(store, [1, 2])
    #expect(try titles(store) == ["T1", "T2"])
  }

  @Test func `a compaction makes the cache no evidence, and nothing else does`() throws {
    let store = try follow()
    _ = try update(store, [1, 2])
    #expect(try !updater(store, [:]).isDue(feed(store), interval: 1000))
    _ = try store.writer.compactIfNeeded(beyond: 0)
    #expect(try updater(store, [:]).isDue(feed(store), interval: 1000))
  }

  @Test(arguments: [
    nil, "<rss><channel><title>Other</title><item><guid>9</guid></item></channel></rss>",
    "<html><body>parked</body></html>",
  ])
  func `a new URL is not believed before it is read as the same feed`(_ there: String?) throws {
    let store = try follow()
    _ = try update(store, [1])
    let new = "<itunes:new-feed-url>https://new.example.org/feed</itunes:new-feed-url>"
    var documents = ["https://example.org/feed": Self.document([2, 1], extra: new)]
    if let there {
      documents["https://new.example.org/feed"] = HTTPResponse(
        bytes: Array(there.utf8), url: "https://new.example.org/feed")
    }
    let notes: [String] = Array(try update(store, documents).map(\.notes).joined())
    #expect(try feed(store).url == "https://example.org/feed")
    #expect(notes.count == 1)
    #expect(try titles(store) == ["T1", "T2"])
  }

  @Test func `a feed that moved is read at its earlier URL while the new one fails`() throws {
    let store = try follow()
    let new = "<itunes:new-feed-url>https://new.example.org/feed</itunes:new-feed-url>"
    let old = Self.document([1], extra: new)
    try update(
      store,
      [
        "https://example.org/feed": old,
        "https://new.example.org/feed": Self.document([2, 1], at: "https://new.example.org/feed"),
      ])
    #expect(try feed(store).url == "https://new.example.org/feed")
    let ended = try update(store, ["https://example.org/feed": Self.document([3, 1], extra: new)])
    #expect(try titles(store).contains("T3"))
    let notes: [String] = Array(ended.map(\.notes).joined())
    #expect(notes.contains { $0.contains("earlier URL") })
    #expect(try feed(store).url == "https://new.example.org/feed")
  }

  @Test func `a permanent redirect to a feed without a known item is not recorded`() throws {
    let store = try follow()
    _ = try update(store, [1])
    var parked = Self.document([7], at: "https://parked.example.org/feed")
    parked.movedTo = "https://parked.example.org/feed"
    try update(store, ["https://example.org/feed": parked])
    #expect(try feed(store).url == "https://example.org/feed")
  }

  @Test func `a failing feed is recorded, told once a week, and forgotten after a success`() throws
  {
    let store = try follow()
    _ = try update(store, [1])
    var reported: [Bool] = []
    for _ in 0..<9 {
      reported += try update(store, [:]).map(\.isReported)
      clock.advance(milliseconds: 86_400_000)
    }
    #expect(reported == [true] + Array(repeating: false, count: 6) + [true, false])
    let failing = try #require(try feed(store).failing)
    #expect(failing.code == "http-gone")
    #expect(failing.attempts == 9)
    // The failed checks are no reason to read the whole document again.
    let ended = try update(store, [1])
    guard case .unchanged = try #require(ended.first).result else {
      Issue.record("\(ended)")
      return
    }
    #expect(try feed(store).failing == nil)
  }

  @Test func `an item that appeared after the subscription is new in the first update too`() throws
  {
    let store = try follow(.new)
    let dates = [clock.now.adding(milliseconds: -1000), clock.now.adding(milliseconds: 5000)]
    clock.advance(milliseconds: 10_000)
    let items = zip(["Before", "After"], dates).map {
      "<item><title>\($0)</title><guid>\($0)</guid><pubDate>\($1.text)</pubDate>"
        + "<enclosure url='\($0).mp4'/></item>"
    }
    var document = HTTPResponse(
      bytes: Array("<rss><channel>\(items.joined())</channel></rss>".utf8),
      url: "https://example.org/feed")
    document.validators = Validators(etag: "\"a\"")
    try update(store, ["https://example.org/feed": document])
    var query = EpisodeQuery()
    query.wants = [.fetch]
    var wanted: [String] = []
    try store.snapshot().episodes(matching: query) {
      wanted.append($0.title); return true
    }
    #expect(wanted == ["After"])
  }
}
