import Testing
import VmxModel

@testable import VmxStore

struct IndexCacheTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func `a snapshot keeps its moment while the index that all share goes on`() throws {
    let store = try fixture.open()
    for id in ["a/1", "a/2", "a/3"] { try store.update(.soon) { $0.write(try .sample(id)) } }
    let before = try store.snapshot()
    try store.update(.soon) { transaction in
      transaction.write(try .sample("a/1", title: "New"))
      transaction.delete(.episode, "a/2")
      transaction.write(try .sample("a/4"))
    }
    let after = try store.snapshot()
    #expect(try after.episode(EpisodeID("a/1"))?.title == "New")
    #expect(try after.episode(EpisodeID("a/2")) == nil)
    #expect(try after.episode(EpisodeID("a/4")) != nil)
    #expect(try before.episode(EpisodeID("a/1"))?.title == "A title")
    #expect(try before.episode(EpisodeID("a/2")) != nil)
    #expect(try before.episode(EpisodeID("a/3")) != nil)
    #expect(try before.episode(EpisodeID("a/4")) == nil)
    #expect(try before.ids() == ["a/1", "a/2", "a/3"])
  }

  @Test func `what was appended is known as another process reads it`() throws {
    let store = try fixture.open()
    try fixture.fillWithChanges(store)
    for id in ["a/0", "a/3", "a/6", "b/27"] {
      let id = try EpisodeID(id)
      try store.update(.soon) { transaction in
        guard var episode = try transaction.episode(id) else { return }
        episode.parts[0].state = .queued
        episode.appendTransition(
          Transition(at: transaction.now, part: "video", from: .new, to: .queued))
        transaction.write(episode)
      }
      let here = try store.snapshot().episode(id)
      #expect(try here == fixture.open().snapshot().episode(id))
      // It equals the stored record, so no line is appended.
      let count = try fixture.lines().count
      try store.update(.soon) { transaction in if let here { transaction.write(here) } }
      #expect(try fixture.lines().count == count)
    }
  }

  @Test func `a store grows beyond what is kept of its end`() throws {
    let store = try fixture.open()
    for number in 0..<40 {
      var episode = try Episode.sample("a/\(number)")
      episode.summary = String(repeating: "\(number % 10)", count: 100_000)
      try store.update(.soon) { $0.write(episode) }
      let found = try store.snapshot().episode(episode.id)
      #expect(found?.summary == episode.summary)
    }
    #expect(try store.snapshot().ids() == (0..<40).map { "a/\($0)" })
    #expect(try store.snapshot().episode(EpisodeID("a/1"))?.summary?.first == "1")
  }

  @Test func `what others append is found behind what is kept`() throws {
    let store = try fixture.open()
    let other = try fixture.open()
    for number in 0..<10 {
      try store.update(.soon) { $0.write(try .sample("a/\(number)")) }
      try other.update(.soon) { $0.write(try .sample("b/\(number)")) }
      #expect(try store.snapshot().episode(EpisodeID("b/\(number)")) != nil)
      // A line without a newline is skipped, and is read again once it has one.
      try fixture.append(#"{"kind":"episode","id":"c/\#(number)""#)
      #expect(try store.snapshot().ids().count == 2 * number + 2)
    }
  }
}
