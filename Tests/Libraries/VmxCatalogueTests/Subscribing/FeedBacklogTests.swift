import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxCatalogue

struct FeedBacklogTests {
  @Test(arguments: [
    (WantRule.none, 0), (.new, 0), (.latest(2), 1), (.all, 3),
  ])
  func `a changed rule selects known episodes that nobody decided about`(
    _ rule: WantRule, _ count: Int
  ) throws {
    let folder = try ScratchFolder()
    let store = try LibraryStore.open(LibraryHome(folder.path("home")), clock: FixedClock())
    var feed = Subscription(id: "", url: "https://example.org/feed", title: "Show")
    feed.want = rule
    feed = try Subscriptions(store).add(feed).feed
    for day in 1...5 {
      var described = EpisodeDescription()
      (described.title, described.show) = ("T\(day)", "show")
      described.date = CalendarDay("2026-05-0\(day)")
      described.feed = feed.id
      // The newest was removed by the user, the second newest is on hold in no way.
      described.want = day == 5 ? .gone : day == 1 ? .hold : Want.none
      try described.add(
        PartDescription(
          role: .video,
          variants: [
            VariantDescription(sources: [try WebURL("https://example.org/\(day).mp4")])
          ]))
      _ = try EpisodeBatchImporter(store: store, clock: FixedClock()).add(
        [described], isTyped: false)
    }
    let backlog = FeedBacklog(store)
    let open = try backlog.episodes(of: feed)
    #expect(open.count == count)
    #expect(try backlog.request(open) == count)
    #expect(try backlog.episodes(of: feed).isEmpty)
  }
}
