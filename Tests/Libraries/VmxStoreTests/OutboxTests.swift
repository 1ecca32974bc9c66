import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct OutboxTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func store(_ rule: OutboxRule = OutboxRule([.report])) throws -> LibraryStore {
    var options = StoreOptions()
    options.outbox = { rule }
    return try fixture.open(options)
  }

  private func steps(
    _ store: LibraryStore, _ backend: OutboxBackend = .report
  ) throws -> [String] {
    try store.snapshot().outbox(of: backend).map { "\($0.step) \($0.episode)" }
  }

  private func put(_ episode: Episode, in store: LibraryStore) throws {
    try store.update(.soon) { $0.write(episode) }
  }

  @Test func `each step of an episode is an event, in its order`() throws {
    let store = try store()
    var episode = try Episode.sample("a/1")
    episode.parts[0].state = .queued
    try put(episode, in: store)
    episode.parts[0].state = .partial
    try put(episode, in: store)
    episode.want = .hold
    try put(episode, in: store)
    episode.want = .fetch
    episode.parts[0].stop(by: Failure(.httpGone, "gone"), at: .partial)
    try put(episode, in: store)
    episode.parts[0].enter(.ready)
    try put(episode, in: store)
    episode.isWatched = true
    try put(episode, in: store)
    episode.isWatched = false
    try put(episode, in: store)
    episode.parts[0].enter(.removing)
    try put(episode, in: store)
    episode.parts[0].enter(.removed)
    try put(episode, in: store)
    let events = try store.snapshot().outbox(of: .report)
    #expect(
      events.map(\.step) == [
        .queued, .started, .paused, .queued, .failed, .ready, .watched, .unwatched, .deleted,
      ])
    #expect(events.map(\.code)[4] == .httpGone)
    #expect(Set(events.map(\.key)).count == events.count)
  }

  @Test func `an event is written in the transaction of its step`() throws {
    let store = try store()
    try put(try .sample("a/1"), in: store)
    let lines = try fixture.lines().dropFirst()
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(#""txn":"#) })
    #expect(lines.last?.contains(#""commit":true"#) == true)
  }

  @Test func `without a backend no event is written`() throws {
    let store = try store(OutboxRule())
    try put(try .sample("a/1"), in: store)
    #expect(try fixture.lines().count == 2)
  }

  @Test func `a change that is no step writes no event`() throws {
    let store = try store()
    var episode = try Episode.sample("a/1")
    try put(episode, in: store)
    episode.title = "Another title"
    try put(episode, in: store)
    #expect(try steps(store) == ["queued a/1"])
  }

  @Test func `only the shows of the setting are told to the report`() throws {
    let store = try store(OutboxRule([.report, .sync], shows: ["b"]))
    for id in ["a/1", "b/1"] {
      var episode = try Episode.sample(id)
      try put(episode, in: store)
      episode.isWatched = true
      try put(episode, in: store)
    }
    #expect(try steps(store) == ["queued b/1", "watched b/1"])
    #expect(try steps(store, .sync) == ["watched a/1", "watched b/1"])
  }

  @Test func `a change that came from a backend is not told to it`() throws {
    let store = try store(OutboxRule([.report, .sync]))
    var episode = try Episode.sample("a/1")
    try put(episode, in: store)
    episode.isWatched = true
    try store.update(.soon) { [episode] transaction in
      transaction.origin = .sync
      transaction.write(episode)
    }
    #expect(try steps(store, .sync).isEmpty)
    #expect(try steps(store) == ["queued a/1", "watched a/1"])
  }

  @Test func `a renamed episode takes no step`() throws {
    let store = try store()
    var episode = try Episode.sample("a/1")
    episode.parts[0].enter(.ready)
    try put(episode, in: store)
    let old = episode.id
    episode.id = try EpisodeID("a/2")
    try store.update(.soon) { transaction in
      transaction.delete(.episode, old.description)
      transaction.writeAlias(old, episode.id)
      transaction.write(episode)
    }
    #expect(try steps(store) == ["ready a/1"])
  }

  @Test func `a forgotten episode with files is deleted, one without is dropped`() throws {
    let store = try store()
    var episode = try Episode.sample("a/1")
    episode.parts[0].enter(.ready)
    episode.parts[0].path = "A/1.mp4"
    try put(episode, in: store)
    try put(try .sample("a/2"), in: store)
    try store.update(.soon) { transaction in
      transaction.delete(.episode, "a/1")
      transaction.delete(.episode, "a/2")
    }
    #expect(try steps(store) == ["ready a/1", "queued a/2", "deleted a/1", "dropped a/2"])
  }

  @Test func `a playback is told with its position`() throws {
    let store = try store()
    let episode = try Episode.sample("a/1")
    try put(episode, in: store)
    var playback = Playback()
    playback.position = 90_000
    playback.duration = 600_000
    try store.update(.soon) { $0.recordEvent(of: playback, of: episode) }
    let event = try #require(try store.snapshot().outbox(of: .report).last)
    #expect(event.step == .played)
    #expect(event.position == 90_000)
    #expect(event.duration == 600_000)
  }

  @Test func `an event that was told is gone once it is deleted`() throws {
    let store = try store()
    try put(try .sample("a/1"), in: store)
    let event = try #require(try store.snapshot().outbox(of: .report).first)
    try store.update(.durable) { $0.delete(.outbox, event.id) }
    #expect(try steps(store).isEmpty)
  }
}
