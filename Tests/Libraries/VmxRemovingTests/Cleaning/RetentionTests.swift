@testable import VmxRemoving
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

@Suite struct RetentionTests {
  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  private func put(
    _ id: String, day: String? = nil, number: Int64? = nil, daysAgo: Int64 = 0,
    isKept: Bool = false, isWatched: Bool = false, root: String = "r",
    feed: String? = nil, path: String? = nil
  ) throws {
    var part = Part(role: .video, variants: [])
    part.state = .ready
    part.root = root
    part.path = path ?? "\(id).mp4"
    part.size = ByteCount(clamping: 100)
    let added = clock.now.adding(milliseconds: -daysAgo * 86_400_000)
    var episode = Episode(
      id: try EpisodeID(id), title: id, showTitle: "Show", added: added, parts: [part])
    episode.date = day.flatMap { CalendarDay($0) }
    episode.season = number == nil ? nil : 1
    episode.number = number
    episode.isKept = isKept
    episode.isWatched = isWatched
    episode.feed = feed
    let stored = episode
    _ = try store.update(.durable) { $0.write(stored) }
  }

  private func chosen(_ rules: RetentionRules, need: Int64? = nil) throws -> [String] {
    let retention = try Retention(rules, in: store.snapshot(), roots: ["r"], now: clock.now)
    guard let need else { return retention.choices().map(\.id.description) }
    return try retention.choices(freeing: need, links: links).map(\.id.description)
  }

  /// Each path has its own file, except that paths beginning with `link` are names of one file, and
  /// that `gone.mp4` is missing.
  private func links(_ root: String, _ path: String) -> (file: FreedSpace.FileID, count: Int)? {
    if path == "gone.mp4" { return nil }
    let isLink = path.hasPrefix("link")
    let inode = isLink ? 1 : StableHash.of(path)
    return (FreedSpace.FileID(device: 1, inode: inode), isLink ? 2 : 1)
  }

  private func freeing(_ need: Int64) throws -> [String] {
    var rules = RetentionRules()
    rules.free = ByteCount(1)
    return try chosen(rules, need: need)
  }

  // Regression: the file counted for each of its episodes, and all of them were removed to free the
  // space once.
  @Test func `a file of several episodes counts for the last of them`() throws {
    try put("t/a", daysAgo: 9, isWatched: true, path: "shared.mp4")
    try put("t/b", daysAgo: 8, isWatched: true, path: "shared.mp4")
    try put("t/c", daysAgo: 7, isWatched: true)
    #expect(try freeing(100) == ["t/a", "t/b"])
    #expect(try freeing(200) == ["t/a", "t/b", "t/c"])
  }

  @Test func `episodes that free nothing stay`() throws {
    try put("t/a", daysAgo: 9, isWatched: true, path: "shared.mp4")
    try put("t/b", daysAgo: 8, isKept: true, isWatched: true, path: "shared.mp4")
    try put("t/c", daysAgo: 7, isWatched: true, path: "gone.mp4")
    try put("t/d", daysAgo: 6, isWatched: true)
    #expect(try freeing(.max) == ["t/d"])
  }

  @Test func `the names of one file count for the last of them`() throws {
    try put("t/a", daysAgo: 9, isWatched: true, path: "link-1.mp4")
    try put("t/b", daysAgo: 8, isWatched: true)
    #expect(try freeing(.max) == ["t/b"])
    try put("t/c", daysAgo: 7, isWatched: true, path: "link-2.mp4")
    #expect(try freeing(100) == ["t/b"])
    #expect(try freeing(150) == ["t/a", "t/b", "t/c"])
  }

  @Test func `the newest by day stay, whatever came first`() throws {
    try put("t/a", day: "2026-03-01", daysAgo: 9)
    try put("t/b", day: "2026-01-01", daysAgo: 1)
    try put("t/c", day: "2026-02-01", daysAgo: 5)
    var rules = RetentionRules()
    rules.keepLast = 2
    #expect(try chosen(rules) == ["t/b"])
  }

  @Test func `the rule of a show removes what was watched of it alone`() throws {
    for id in ["t/a", "t/b", "t-2/a"] { try put(id, isWatched: true) }
    try put("t/kept", isKept: true, isWatched: true)
    try put("t/next")
    let position = PlaybackPosition(milliseconds: 60_000, duration: nil, at: clock.now)
    try store.update(.durable) {
      $0.write(StoredRecord(kind: .position, id: "t/b", fields: position.record))
    }
    var show = LibraryShow(slug: "t", title: nil)
    #expect(RetentionRules(show) == nil)
    show.keepNext = 3
    #expect(try chosen(try #require(RetentionRules(show))) == ["t/a"])
  }

  @Test func `the next unwatched come in the options of the show`() throws {
    for (id, number) in [("t/c", 3), ("t/a", 1), ("t/d", 10), ("t/b", 2)] as [(String, Int64)] {
      try put(id, number: number, isWatched: number == 1)
    }
    var query = EpisodeQuery()
    query.prefix = "t/"
    let snapshot = try store.snapshot()
    let next = try snapshot.unwatched(2, matching: query) { $0.number != 2 }
    #expect(next.map(\.id.description) == ["t/c", "t/d"])
    #expect(try snapshot.unwatched(0, matching: query) { _ in true }.isEmpty)
    #expect(try snapshot.nextUnwatched(of: "Show").id.description == "t/b")
  }

  @Test func `the newest by number stay where not all have a day`() throws {
    try put("t/a", number: 10)
    try put("t/b", day: "2026-01-01", number: 2)
    var rules = RetentionRules()
    rules.keepLast = 1
    #expect(try chosen(rules) == ["t/b"])
  }

  @Test func `each show keeps its own newest`() throws {
    try put("t/a", number: 1)
    try put("u/a", number: 1)
    var rules = RetentionRules()
    rules.keepLast = 1
    #expect(try chosen(rules).isEmpty)
  }

  @Test func `what is kept counts among the newest and never goes`() throws {
    try put("t/a", number: 1, isKept: true)
    try put("t/b", number: 2)
    try put("t/c", number: 3, isKept: true)
    var rules = RetentionRules()
    rules.keepLast = 1
    #expect(try chosen(rules) == ["t/b"])
  }

  @Test func `the newest of a feed stay, whatever their shows, and others do not count`() throws {
    try put("t/a", number: 1, feed: "f")
    try put("u/b", number: 2, isKept: true, feed: "f")
    try put("t/c", number: 3, feed: "f")
    try put("t/d", number: 9)
    try put("t/e", number: 8, feed: "g")
    var feed = Subscription(id: "f", url: "", title: "")
    #expect(RetentionRules(feed) == nil)
    feed.keepLast = 1
    let rules = try #require(RetentionRules(feed))
    #expect(try chosen(rules) == ["t/a"])
  }

  @Test func `what was watched goes by number among all of its show`() throws {
    try put("t/a", number: 1, isWatched: true)
    try put("t/b", number: 2)
    try put("t/c", number: 3, isWatched: true)
    var rules = RetentionRules()
    rules.keepLast = 1
    rules.query.isWatched = true
    #expect(try chosen(rules) == ["t/a"])
  }

  @Test func `room is made of what was watched first, then of the oldest, and of no more`() throws {
    try put("t/a", daysAgo: 1)
    try put("t/b", daysAgo: 9)
    try put("t/c", daysAgo: 0, isWatched: true)
    var rules = RetentionRules()
    rules.free = ByteCount(clamping: 1)
    rules.freesUnwatched = true
    #expect(try chosen(rules, need: 150) == ["t/c", "t/b"])
  }

  // Regression: '--free 999T' deleted the library.
  @Test func `room is not made of what was not watched or is to be kept`() throws {
    try put("t/a", daysAgo: 3)
    try put("t/b", daysAgo: 2, isWatched: true)
    try put("t/c", daysAgo: 1, isKept: true, isWatched: true)
    var rules = RetentionRules()
    rules.free = ByteCount(clamping: 1)
    #expect(try chosen(rules, need: .max) == ["t/b"])
  }

  @Test func `an episode with a file in a root that is away stays`() throws {
    try put("t/a", daysAgo: 9, root: "away")
    var rules = RetentionRules()
    rules.olderThan = 1
    #expect(try chosen(rules).isEmpty)
  }

  @Test func `age counts from the moment at which it came here`() throws {
    try put("t/a", daysAgo: 31)
    try put("t/b", daysAgo: 29)
    var rules = RetentionRules()
    rules.olderThan = 30 * 86_400_000
    #expect(try chosen(rules) == ["t/a"])
  }
}
