import Testing
import VmxModel

@Suite struct LibraryShowTests {
  private func show(_ title: String?) -> LibraryShow { LibraryShow(slug: "girls", title: title) }

  @Test func `a stronger source replaces a title, and the one before becomes an earlier one`() {
    var girls = show(nil)
    girls.take(show("girls_hd"), from: .name)
    girls.take(show("Girls"), from: .feed)
    #expect(girls.title == "Girls")
    #expect(girls.earlierTitles == ["girls_hd"])
    girls.take(show("Girls (2012)"), from: .person)
    girls.take(show("Girls HBO"), from: .feed)
    #expect(girls.title == "Girls (2012)")
    #expect(girls.earlierTitles == ["girls_hd", "Girls"])
  }

  @Test func `a catalogue completes what a feed tells`() {
    var (girls, other) = (show("Girls"), show("Other"))
    girls.take(show("Girls"), from: .feed)
    (other.summary, other.tvmaze) = ("Four friends", 139)
    girls.take(other, from: .feed, isCompletion: true)
    #expect(girls.title == "Girls")
    #expect(girls.summary == "Four friends")
    #expect(girls.tvmaze == 139)
  }

  @Test func `an episode has the title of its show unless it was given that of another one`() {
    var girls = show(nil)
    girls.take(show("Girls"), from: .feed)
    girls.take(show("The Girls"), from: .person)
    for own in ["", "girls", "Girls", "GIRLS", "Girls (2012)", "The Girls"] {
      #expect(girls.title(ofEpisodeWith: own) == "The Girls")
    }
    #expect(girls.title(ofEpisodeWith: "Boys") == "Boys")
    #expect(show(nil).title(ofEpisodeWith: "Boys") == "Boys")
  }

  @Test func `only so many earlier titles are kept, the newest`() {
    var girls = show("0")
    for number in 1...30 { girls.take(show("\(number)"), from: .feed) }
    #expect(girls.earlierTitles.count == 16)
    #expect(girls.earlierTitles.last == "29")
  }

  @Test func `texts from outside are bounded between characters`() {
    var girls = show(String(repeating: "ü", count: 4000))
    girls.summary = "x" + String(repeating: "😀", count: 40_000)
    let bounded = girls.bounded
    #expect(bounded.title?.allSatisfy { $0 == "ü" } == true)
    #expect(bounded.title.map { $0.utf8.count <= 1024 } == true)
    #expect(bounded.summary.map { $0.hasSuffix("😀") && $0.utf8.count <= 16 << 10 } == true)
  }

  @Test func `a feed belongs to the show that it describes, is tied to, or has the title of`() {
    var feed = Subscription(id: "f", url: "https://example.org/feed", title: "C++")
    var plain = LibraryShow(slug: "c", title: "C")
    #expect(!feed.belongs(to: plain))
    #expect(feed.belongs(to: LibraryShow(slug: "c", title: "C++")))
    feed.show = Slug(valid: "c")
    #expect(feed.belongs(to: plain))
    feed.show = Slug(valid: "c-2")
    plain.feed = "f"
    #expect(!feed.belongs(to: plain))
  }
}
