import Testing
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxCommand

struct LibraryStatusTests {
  let scratch: ScratchFolder
  let clock = FixedClock()
  /// The store as a concurrent fetch has it open.
  let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: clock)
  }

  private func status(following: Bool = false) throws -> LibraryStatus {
    let other = try LibraryStore.open(LibraryHome(scratch.path("home")), clock: clock)
    return try LibraryStatus(of: other, clock: clock, zone: FixedZone(), following: following)
  }

  private func put(
    _ id: String, _ state: PartState, want: Want = .fetch, reason: WaitReason? = nil,
    until: Timestamp? = nil
  ) throws {
    let id = try EpisodeID(id)
    try store.update(.soon) { transaction in
      let added = Episode(
        id: id, title: "T", showTitle: "S", added: clock.now,
        parts: [Part(role: .video, variants: [])])
      var episode = try transaction.episode(id) ?? added
      let from = episode.parts[0].state
      episode.parts[0].state = state
      episode.parts[0].reason = reason
      episode.parts[0].until = until
      episode.want = want
      if from != state {
        episode.appendTransition(Transition(at: clock.now, part: "video", from: from, to: state))
      }
      transaction.write(episode)
    }
  }

  private func tell(_ id: String, bytes: Int64, rate: Int64? = 100) throws {
    let line = ProgressLine(
      episode: try EpisodeID(id), part: "video", bytes: ByteCount(clamping: bytes),
      total: ByteCount(1000), rate: rate.map { ByteCount(clamping: $0) },
      worker: ProcessIdentity(pid: 7, host: "castle", boot: "b", since: clock.now))
    try store.update(.soon) { $0.write(line.record) }
  }

  private func names(_ events: [StatusEvent]) -> [String] {
    events.map { event in
      switch event.change {
      case .added: "\(event.id) added"
      case .state(let step, _, _): "\(event.id) \(step.to.rawValue)"
      case .want(_, let to): "\(event.id) want \(to.rawValue)"
      case .progress(let item): "\(event.id) at \(item.progress.completedBytes)"
      case .stopped: "\(event.id) stopped"
      case .removed: "\(event.id) removed"
      }
    }
  }

  @Test func `a missing library yields no status and is not created`() throws {
    let report = try status().report()
    #expect(report.items.isEmpty && report.totals == StatusTotals(at: clock.now))
    #expect(!scratch.exists("home"))
  }

  @Test func `every episode is counted once`() throws {
    try put("a/ready", .ready)
    try put("a/failed", .failed)
    try put("a/new", .new)
    try put("a/held", .partial, want: .hold)
    try put("a/known", .new, want: .none)
    try put("a/gone", .removed, want: .gone)
    try put("a/late", .waiting, reason: .window, until: clock.now.adding(milliseconds: 9000))
    try put("a/soon", .waiting, reason: .window, until: clock.now.adding(milliseconds: 5000))
    try put("a/cheap", .waiting, reason: .metered)
    let totals = try status().report().totals
    #expect(totals.episodes == 9)
    #expect([totals.ready, totals.failed, totals.queued, totals.paused] == [1, 1, 1, 1])
    #expect(totals.waiting == 3)
    #expect(
      totals.reasons == [
        .init(reason: .window, count: 2, until: clock.now.adding(milliseconds: 5000)),
        .init(reason: .metered, count: 1, until: nil),
      ])
  }

  @Test func `only an episode whose claim is held is in work`() throws {
    for id in ["a/one", "a/two"] {
      try put(id, .partial)
      try tell(id, bytes: 250)
    }
    let claim = try #require(try store.claims.claim(try EpisodeID("a/one")))
    let report = try status().report()
    #expect(report.items.map(\.id) == ["a/one"])
    #expect(
      report.items.first?.progress == ByteProgress(completedBytes: 250, total: 1000, rate: 100))
    #expect(report.totals.inWork == 1 && report.totals.queued == 1)
    claim.release()
    #expect(try status().report().totals.queued == 2)
  }

  @Test func `a rate expires after ten seconds without an update`() throws {
    try put("a/one", .partial)
    try tell("a/one", bytes: 250)
    let claim = try store.claims.claim(try EpisodeID("a/one"))
    clock.advance(milliseconds: 10_001)
    #expect(try status().report().items.first?.progress.rate == nil)
    claim?.release()
  }

  @Test func `the bytes of this month are reported for each network`() throws {
    let months = JSONObject(distinct: [("2023-10", .integer(1)), ("2023-11", .integer(5))])
    let fields = JSONObject(distinct: [("months", .object(months))])
    try store.update(.soon) { transaction in
      transaction.write(StoredRecord(kind: .network, id: "home", fields: fields))
    }
    #expect(
      try status().report().totals.networks == [.init(name: "home", month: "2023-11", bytes: 5)])
  }

  @Test func `each step and each change of the want is reported once`() throws {
    try put("a/one", .new)
    let status = try status(following: true)
    #expect(try status.poll().isEmpty)
    try put("a/one", .queued)
    try put("a/one", .partial)
    #expect(names(try status.poll()) == ["a/one queued", "a/one partial"])
    try put("a/one", .partial, want: .hold)
    #expect(names(try status.poll()) == ["a/one want hold"])
    try put("a/two", .new)
    #expect(names(try status.poll()) == ["a/two added"])
    try store.update(.soon) { $0.delete(.episode, "a/one") }
    #expect(names(try status.poll()) == ["a/one removed"])
    #expect(status.report().totals.episodes == 1)
  }

  @Test func `totals follow the events`() throws {
    try put("a/one", .waiting, reason: .backoff, until: clock.now.adding(milliseconds: 500))
    try put("a/two", .waiting, reason: .backoff, until: clock.now.adding(milliseconds: 900))
    let status = try status(following: true)
    try put("a/one", .queued)
    _ = try status.poll()
    let totals = status.report().totals
    #expect(totals.waiting == 1 && totals.queued == 1)
    #expect(totals.reasons.first?.until == clock.now.adding(milliseconds: 900))
  }

  @Test func `progress is reported at most twice a second for an episode`() throws {
    try put("a/one", .partial)
    let claim = try store.claims.claim(try EpisodeID("a/one"))
    let status = try status(following: true)
    try tell("a/one", bytes: 100)
    #expect(names(try status.poll()) == ["a/one at 100"])
    clock.advance(milliseconds: 250)
    try tell("a/one", bytes: 200)
    #expect(try status.poll().isEmpty)
    clock.advance(milliseconds: 250)
    #expect(names(try status.poll()) == ["a/one at 200"])
    clock.advance(milliseconds: 900)
    #expect(try status.poll().isEmpty)
    claim?.release()
  }

  @Test func `a fetcher that dies is reported as stopped, one that exits normally is not`() throws {
    for id in ["a/one", "a/two"] {
      try put(id, .partial)
      try tell(id, bytes: 250)
    }
    let one = try store.claims.claim(try EpisodeID("a/one"))
    let two = try store.claims.claim(try EpisodeID("a/two"))
    let status = try status(following: true)
    #expect(status.report().totals.inWork == 2)
    one?.release()
    try put("a/two", .ready)
    try store.update(.soon) { $0.delete(.progress, "a/two") }
    two?.release()
    #expect(names(try status.poll()) == ["a/two ready", "a/one stopped"])
    #expect(status.report().totals.inWork == 0)
    #expect(try status.poll().isEmpty)
  }

  @Test func `an episode taken over from a dead fetcher is in work again`() throws {
    try put("a/one", .partial)
    try tell("a/one", bytes: 250)
    let status = try status(following: true)
    #expect(status.report().items.isEmpty)
    let claim = try store.claims.claim(try EpisodeID("a/one"))
    try tell("a/one", bytes: 300)
    #expect(names(try status.poll()) == ["a/one at 300"])
    #expect(status.report().items.map(\.progress.completedBytes) == [300])
    claim?.release()
  }

  @Test func `an unreadable progress line is ignored`() throws {
    try put("a/one", .partial)
    let fields = JSONObject(distinct: [("bytes", .string("many"))])
    try store.update(.soon) { transaction in
      transaction.write(StoredRecord(kind: .progress, id: "a/one", fields: fields))
    }
    let claim = try store.claims.claim(try EpisodeID("a/one"))
    #expect(try status().report().items.isEmpty)
    claim?.release()
  }
}
