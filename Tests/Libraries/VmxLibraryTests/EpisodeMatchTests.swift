import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxLibrary

/// The table of evidence as imports use it.
struct EpisodeMatchTests {
  private func feedItem(
    _ guid: String, _ url: String, _ title: String, day: String, number: Int64? = nil,
    feed: String = "show"
  ) throws -> EpisodeDescription {
    var item = try EpisodeDescription.at(url, show: "Show", number: number)
    (item.title, item.date, item.feed, item.origin) = (title, CalendarDay(day), feed, .feed)
    item.isDaily = false
    item.isOnlyOfTitle = true
    item.identity = [.feedItem(feed: feed, guid: guid)]
    return item
  }

  // Regression: the number alone made one episode of three days, and two films were never fetched.
  @Test func `a number that every item has makes no two days one episode`() throws {
    let library = try ScratchLibrary()
    for day in 1...3 {
      let item = try feedItem(
        "n\(day)", "https://example.org/n\(day).mp4", "News \(day)", day: "2024-05-0\(day)",
        number: 1)
      #expect(try library.take(item, isTyped: false).verdict == .added)
    }
  }

  @Test func `three items of one document with one title and day are three episodes`() throws {
    let library = try ScratchLibrary()
    var items = try (1...3).map {
      try feedItem("\($0)", "https://example.org/\($0).mp4", "Lecture", day: "2024-05-01")
    }
    let document = Set(items.flatMap(\.identityKeys)).filter {
      $0.kind == .item || $0.kind == .address
    }
    for index in items.indices {
      items[index].siblings = document
      items[index].isOnlyOfTitle = false
    }
    for item in items { #expect(try library.take(item, isTyped: false).verdict == .added) }
    for item in items { #expect(try library.take(item, isTyped: false).verdict == .unchanged) }
  }

  // Regression: the film of "C" stood under the name of "C++".
  @Test func `shows whose titles have one slug are different shows`() throws {
    let library = try ScratchLibrary()
    var ids: [String] = []
    for (index, show) in ["C", "C++", "C#"].enumerated() {
      for number in 1...2 {
        let url = "https://example.org/\(index)-\(number).mp4"
        let taken = try library.take(.at(url, show: show, number: Int64(number)))
        #expect(taken.episode.showTitle == show)
        ids.append("\(taken.episode.id)")
      }
    }
    let expected = ["c", "c-2", "c-3"].flatMap { ["\($0)/s01e01", "\($0)/s01e02"] }
    #expect(ids == expected)
    let again = try library.take(.at("https://example.org/x.mp4", show: "C++", number: 2))
    #expect(again.episode.id.description == "c-2/s01e02")
    #expect(throws: Failure.self) { try library.take(.at("https://example.org/y.mp4", show: "c")) }
  }

  @Test func `an id of a known show implies its title, season and number`() throws {
    let library = try ScratchLibrary()
    _ = try library.take(.at("https://example.org/1.mp4", show: "Our Tales", number: 1))
    var named = try EpisodeDescription.at("https://example.org/2.mp4")
    named.id = try EpisodeID("our-tales/s01e02")
    let episode = try library.take(named).episode
    #expect(episode.showTitle == "Our Tales")
    #expect(episode.season == 1 && episode.number == 2)
  }

  // Regression: a row with another id overwrote the title of the episode that had its URL.
  @Test func `a source of another id changes nothing`() throws {
    let library = try ScratchLibrary()
    var first = try EpisodeDescription.at("https://example.org/1.mp4")
    (first.id, first.title) = (try EpisodeID("a/one"), "One")
    _ = try library.take(first)
    var second = first
    (second.id, second.title) = (try EpisodeID("b/two"), "Two")
    do {
      _ = try library.take(second)
      Issue.record("the row was taken")
    } catch let failure as Failure {
      #expect(failure.code == .idMismatch)
    }
    #expect(try library.store.snapshot().episode(EpisodeID("a/one"))?.title == "One")
  }

  @Test func `a URL that the user types for an episode requests it`() throws {
    let library = try ScratchLibrary()
    var known = EpisodeDescription()
    (known.show, known.number, known.fills, known.origin) = ("Show", 2, true, .feed)
    #expect(try library.take(known, isTyped: false).episode.want == .none)
    let url = try EpisodeDescription.at("https://example.org/2.mp4", show: "Show", number: 2)
    #expect(try library.take(url, isTyped: false).episode.want == .none)
    #expect(try library.take(url).episode.want == .fetch)
  }

  @Test func `an item of two feeds keeps its first feed`() throws {
    let library = try ScratchLibrary()
    let url = "https://example.org/1.mp4"
    let first = try feedItem("1", url, "One", day: "2024-05-01", feed: "a")
    var second = try feedItem("x", url, "One of all", day: "2024-05-01", feed: "b")
    second.show = "All"
    _ = try library.take(first, isTyped: false)
    _ = try library.take(second, isTyped: false)
    let episode = try library.take(first, isTyped: false).episode
    #expect(episode.title == "One" && episode.showTitle == "Show" && episode.feed == "a")
    #expect(try library.take(second, isTyped: false).verdict == .unchanged)
  }

  @Test func `a title of the user outlives the feed, and a mark that is newer the bundle`() throws {
    let library = try ScratchLibrary()
    let item = try feedItem("1", "https://example.org/1.mp4", "One", day: "2024-05-01")
    let id = try library.take(item, isTyped: false).episode.id
    var row = EpisodeDescription()
    (row.id, row.title) = (id, "Mine")
    _ = try library.take(row)
    try library.store.update(.soon) { transaction in
      guard var episode = try transaction.episode(id) else { return }
      episode.isWatched = true
      episode.markWatched(false, at: library.clock.now)
      transaction.write(episode)
    }
    var newer = item
    (newer.title, newer.summary) = ("Other", "Text")
    (newer.isWatched, newer.isKept) = (true, true)
    let episode = try library.take(newer, isTyped: false).episode
    #expect(episode.title == "Mine" && episode.summary == "Text")
    #expect(!episode.isWatched && !episode.isKept)
  }
}
