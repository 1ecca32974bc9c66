import Synchronization
import Testing
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxTestSupport

struct EpisodeWorkerTests {
  private let library: ScratchLibrary
  private let id: EpisodeID

  init() throws {
    library = try ScratchLibrary()
    id = try library.take(.at("https://example.org/film.mp4")).episode.id
  }

  private func work(_ bytes: some PartSource & PartFinishing, asked: Bool = false) -> EpisodeResult
  {
    library.worker(bytes)
      .work(on: id, asked: asked)
  }

  private func stored() throws -> Episode {
    try #require(try library.again().snapshot().episode(id))
  }

  @Test func `a wanted episode becomes ready and others see it`() throws {
    #expect(work(FakeBytes()).result.name == "done")
    #expect(try stored().state == .ready)
  }

  @Test func `a fetch to ready writes three store lines and keeps all six steps`() throws {
    let before = try stored().rev
    _ = work(FakeBytes())
    #expect(try stored().rev == before + 3)
    let steps: [PartState] = [.queued, .probed, .partial, .complete, .checked, .ready]
    #expect(try stored().trail.map(\.to) == steps)
  }

  /// A source whose host allows a request only in the second pass.
  private final class LateTurn: PartSource, FakeFinishing {
    private let passes = Mutex(0)
    private let time: Timestamp

    init(at time: Timestamp) { self.time = time }

    func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }
    func admit(_ part: FetchContext) throws {}

    func transfer(_ part: FetchContext) throws -> FoundBytes {
      let isFirst = passes.withLock { passes in
        passes += 1
        return passes == 1
      }
      guard isFirst else { return FakeBytes.found }
      throw WorkEnded.postponed(Failure(.rateLimited, "not its turn", retryAt: time))
    }
  }

  // Regression: `fetch --repair` reported that a missing film was up to date, and left it as
  // `partial`.
  @Test func `a repair that waited for its turn continues in the next pass`() throws {
    var episode = try stored()
    episode.parts[0].state = .missing
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    let source = LateTurn(at: library.clock.now.adding(milliseconds: 1000))
    var options = WorkOptions()
    options.repairsOnly = true
    let worker = library.worker(source, options: options)
    let first = worker.work(on: id, asked: true)
    let pause = try #require(first.pause)
    #expect(worker.work(on: id, asked: false, after: pause).result.name == "done")
    #expect(try stored().state == .ready)
  }

  // Regression: a transfer that had waited for its turn published half a file as damaged.
  @Test(arguments: [false, true])
  func `half a file waits for its source, also after a pause`(_ isAfterPause: Bool) throws {
    if isAfterPause {
      _ = work(FakeBytes(isPostponed: true))
      #expect(try stored().state == .partial)
    }
    var bytes = FakeBytes()
    bytes.fault = ContainerFault("ends early", isIncomplete: true)
    #expect(work(bytes).result.failure?.code == .mediaTruncated)
    #expect(try stored().state == .waiting)
  }

  @Test func `a ready episode is unchanged`() {
    _ = work(FakeBytes())
    #expect(work(FakeBytes()).result.name == "unchanged")
  }

  @Test func `the source that provided the bytes comes first, and the others are kept`() throws {
    let film = "https://example.org/film.mp4"
    for mirror in ["https://b.example.org/film.mp4", "https://c.example.org/film.mp4"] {
      try library.takeMirror(mirror, of: film)
    }
    // Another process adds a source while the bytes arrive.
    let late = "https://d.example.org/film.mp4"
    var bytes = FakeBytes(source: "https://c.example.org/film.mp4")
    bytes.meanwhile = { [library] in try library.takeMirror(late, of: film) }
    #expect(work(bytes).result.name == "done")
    #expect(
      try stored().parts[0].variants[0].sources.map(\.url) == [
        "https://c.example.org/film.mp4", film, "https://b.example.org/film.mp4", late,
      ])
  }

  @Test func `a permanent failure is retried only on request`() throws {
    #expect(work(FakeBytes(failureOfTransfer: .httpGone)).result.name == "failed")
    #expect(work(FakeBytes()).result.name == "failed")
    #expect(work(FakeBytes(), asked: true).result.name == "done")
  }

  // Regression: a fetch of an episode that 'clean' had removed did nothing, with status 0.
  @Test func `a removed episode is fetched if named, one removed by the user if typed`() throws {
    try recordRemoval(.watched)
    #expect(work(FakeBytes()).result.name == "unchanged")
    #expect(work(FakeBytes(), asked: true).result == .done)
    #expect(try stored().removal == nil)
    try recordRemoval(.byHand)
    #expect(work(FakeBytes(), asked: true).result.name == "unchanged")
    let result = library.worker(FakeBytes()).work(on: id, asked: true, typed: true)
    #expect(result.result == .done)
    #expect(result.notes.first?.contains("it is wanted again") == true)
  }

  /// Records that the episode was removed, as a removal does at its end.
  private func recordRemoval(_ reason: EpisodeRemoval.Reason) throws {
    var episode = try stored()
    episode.want = reason.want
    episode.removal = EpisodeRemoval(at: library.clock.now, tool: "clean", reason: reason)
    episode.parts[0].clearBytes()
    episode.parts[0].enter(.removed)
    let removed = episode
    _ = try library.store.update(.soon) { $0.write(removed) }
  }

  @Test func `an expired episode is refused`() throws {
    var expired = try stored()
    expired.expires = library.clock.now
    let episode = expired
    _ = try library.store.update(.soon) { $0.write(episode) }
    #expect(work(FakeBytes(), asked: true).result.failure?.code == .expired)
    #expect(!DueRule(now: library.clock.now).isDue(episode))
  }

  @Test func `a temporary failure is retried in the next run`() {
    #expect(work(FakeBytes(failureOfTransfer: .netReset)).result.name == "failed")
    #expect(work(FakeBytes()).result.name == "done")
  }

  @Test func `an episode that waits for space continues once there is enough`() throws {
    let outcome = work(FakeBytes(refusal: .diskFull))
    #expect(outcome.result.name == "waiting")
    #expect(outcome.result.failure?.code == .diskFull)
    #expect(try stored().parts[0].reason == .space)
    #expect(work(FakeBytes()).result.name == "done")
  }

  @Test func `an episode in work elsewhere is skipped without an error`() throws {
    let other = try library.again()
    let claim = try #require(try other.claims.claim(id))
    defer { claim.release() }
    let outcome = work(FakeBytes())
    #expect(outcome.result.name == "unchanged")
    #expect(outcome.result.hint?.contains("another worker") == true)
  }

  @Test(arguments: [Want.hold, .gone])
  func `an episode on hold or removed passes on unchanged with a hint`(want: Want) throws {
    var episode = try stored()
    episode.want = want
    let held = episode
    _ = try library.store.update(.soon) { $0.write(held) }
    let outcome = work(FakeBytes(), asked: true)
    #expect(outcome.result.name == "unchanged")
    #expect(outcome.result.hint?.isEmpty == false)
  }

  @Test func `naming an episode changes its want from none to fetch`() throws {
    var episode = try stored()
    episode.want = .none
    let idle = episode
    _ = try library.store.update(.soon) { $0.write(idle) }
    #expect(work(FakeBytes()).result.name == "unchanged")
    #expect(work(FakeBytes(), asked: true).result.name == "done")
    #expect(try stored().want == .fetch)
  }

  @Test func `a limit of the run keeps the state and makes the outcome waiting`() throws {
    _ = try stored()
    let outcome = work(FakeBytes(isPostponed: true))
    #expect(outcome.result.name == "waiting")
    #expect(outcome.result.failure?.code == .budgetSpent)
    #expect(!outcome.wasInterrupted)
    #expect(try stored().state == .partial)
  }

  @Test func `a wait within the run is recorded as waiting and continues automatically`() throws {
    _ = try stored()
    let outcome = work(SlowBytes(passes: 2))
    #expect(outcome.result.name == "done")
    let states = try stored().trail.map(\.to)
    #expect(
      states == [
        .queued, .probed, .waiting, .queued, .probed, .waiting, .queued, .probed, .partial,
        .complete, .checked, .ready,
      ])
  }

  @Test func `an episode whose wait exceeds the run stays waiting`() throws {
    _ = try stored()
    let outcome = work(SlowBytes(passes: 5, maxWaits: 3))
    #expect(outcome.result.name == "waiting")
    #expect(outcome.result.failure?.code == .outsideWindow)
    #expect(try stored().parts[0].reason == .window)
  }

  @Test func `an unknown id is reported as no-such-episode`() throws {
    let worker = library.worker(FakeBytes())
    let outcome = worker.work(on: try EpisodeID("no/such"), asked: true)
    #expect(outcome.result.failure?.code == .noSuchEpisode)
  }

  @Test func `a failed optional part leaves the episode ready and incomplete`() throws {
    var episode = try stored()
    episode.parts.append(Part(role: .image, variants: []))
    let more = episode
    _ = try library.store.update(.soon) { $0.write(more) }
    #expect(work(FakeBytes()).result.name == "done")
    #expect(try stored().missingParts == ["image"])
  }

  @Test func `a mark set during the work is preserved`() throws {
    struct Marking: PartSource, FakeFinishing {
      let mark: @Sendable () throws -> Void
      func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }
      func admit(_ part: FetchContext) throws { try mark() }
      func transfer(_ part: FetchContext) throws -> FoundBytes { FakeBytes.found }
    }
    let (other, id) = (try library.again(), id)
    let bytes = Marking {
      _ = try other.update(.soon) { transaction in
        guard var episode = try transaction.episode(id) else { return }
        episode.isKept = true
        transaction.write(episode)
      }
    }
    _ = library.worker(bytes)
      .work(on: id, asked: false)
    #expect(try stored().isKept)
    #expect(try stored().state == .ready)
  }
}

/// Refuses a part this many times, and waits for refusals as often as `maxWaits` allows.
private struct SlowBytes: PartSource, FakeFinishing {
  private final class Count: Sendable {
    let refused = Atomic<Int>(0)
  }

  var passes: Int
  var maxWaits = Int.max
  private let count = Count()

  init(passes: Int, maxWaits: Int = .max) {
    self.passes = passes
    self.maxWaits = maxWaits
  }

  func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }

  func admit(_ part: FetchContext) throws {
    let time = count.refused.wrappingAdd(1, ordering: .relaxed).newValue
    if time <= passes { throw Failure(.outsideWindow, "as told") }
  }

  func waitForPolicy(_ part: FetchContext) throws -> Bool {
    #expect(part.part.state == .waiting)
    return count.refused.load(ordering: .relaxed) < maxWaits
  }

  func transfer(_ part: FetchContext) throws -> FoundBytes { FakeBytes.found }
}
