import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
import VmxStore

struct QueueActionTests {
  private let now = Timestamp(seconds: 1_700_000_000)

  private struct Known: EpisodeLookup {
    var episodes: [EpisodeID: Episode] = [:]

    func episode(_ id: EpisodeID) throws(StoreError) -> Episode? { episodes[id] }

    func find(_ evidence: [IdentityKey]) -> [EpisodeID] { [] }

    func record(_ kind: RecordKind, _ id: String) -> StoredRecord? { nil }
  }

  private func apply(
    _ action: QueueAction, to episode: inout Episode, among known: Known = Known()
  ) throws -> OperationResult {
    try action.apply(to: &episode, now: now, among: known)
  }

  private func apply(_ action: QueueAction, want: Want, _ state: PartState) throws -> (
    Episode, OperationResult
  ) {
    var episode = try Episode.sample(state)
    episode.want = want
    let verdict = try apply(action, to: &episode)
    return (episode, verdict)
  }

  @Test(arguments: [
    (QueueAction.add, Want.none, Want.fetch), (.add, .hold, .fetch), (.add, .gone, .fetch),
    (.drop, .fetch, .none), (.drop, .hold, .none), (.pause, .fetch, .hold),
    (.resume, .hold, .fetch), (.cancel, .fetch, .none), (.cancel, .hold, .none),
  ])
  func `a request changes the want`(action: QueueAction, before: Want, after: Want) throws {
    let (episode, verdict) = try apply(action, want: before, .partial)
    #expect(verdict == .done)
    #expect(episode.want == after)
  }

  @Test(arguments: [
    (QueueAction.add, Want.fetch), (.drop, .none), (.pause, .hold), (.resume, .fetch),
    (.retry, .fetch),
  ])
  func `an unchanged episode needs no hint`(action: QueueAction, want: Want) throws {
    let (_, verdict) = try apply(action, want: want, .partial)
    #expect(verdict == .unchanged(hint: nil))
  }

  @Test(arguments: [
    (QueueAction.pause, Want.none), (.resume, .none), (.retry, .none), (.pause, .gone),
    (.resume, .gone), (.drop, .gone), (.cancel, .gone), (.retry, .gone),
  ])
  func `a hint names the command that requests it`(action: QueueAction, want: Want) throws {
    let (episode, verdict) = try apply(action, want: want, .partial)
    guard case .unchanged(_, let hint?) = verdict else {
      Issue.record("no hint")
      return
    }
    #expect(hint.contains("'vmx queue add \(episode.id)'"))
    #expect(episode.want == want)
  }

  @Test func `only cancel and retry change states`() throws {
    for action in [QueueAction.add, .drop, .pause, .resume] {
      for want in Want.allCases {
        #expect(try apply(action, want: want, .partial).0.parts[0].state == .partial)
      }
    }
  }

  @Test func `a cancelled episode keeps its trail but none of its bytes`() throws {
    var episode = try Episode.sample(.failed)
    episode.parts[0].resumeState = .partial
    episode.parts[0].code = .netReset
    episode.parts[0].root = "root"
    episode.parts[0].size = ByteCount(clamping: 7)
    #expect(try apply(.cancel, to: &episode) == .done)
    #expect(episode.parts == (try Episode.sample(.new).parts))
    #expect(
      episode.trail == [Transition(at: now, part: "video", from: .failed, to: .new)])
    #expect(episode.cancelledParts.map(\.name) == ["video"])
  }

  @Test func `a ready episode is neither cancelled nor held`() throws {
    let (episode, verdict) = try apply(.cancel, want: .fetch, .ready)
    guard case .unchanged(_, let hint?) = verdict else {
      Issue.record("no hint")
      return
    }
    #expect(hint.contains("'vmx queue drop \(episode.id)'"))
    #expect(try apply(.pause, want: .fetch, .ready).1 == .unchanged(hint: nil))
  }

  @Test(arguments: [PartState.failed, .waiting])
  func `a retry puts a stopped episode into the queue again`(state: PartState) throws {
    let (episode, verdict) = try apply(.retry, want: .hold, state)
    #expect(verdict == .done)
    #expect(episode.parts[0].state == .queued)
    #expect(episode.want == .fetch)
  }

  @Test func `a new request is placed after earlier ones`() throws {
    let (anew, _) = try apply(.add, want: .none, .new)
    let (held, _) = try apply(.add, want: .hold, .new)
    #expect(anew.place == now.nanoseconds)
    #expect(held.place == nil)
  }

  @Test func `an episode waits for others, each of which is listed once`() throws {
    var (first, second) = (try Episode.sample(), try Episode.sample())
    first.id = try EpisodeID("show/first")
    second.id = try EpisodeID("show/second")
    let known = Known(episodes: [first.id: first, second.id: second])
    #expect(try apply(.after([first.id]), to: &second, among: known) == .done)
    #expect(try apply(.after([first.id]), to: &second, among: known) == .unchanged(hint: nil))
    #expect(second.after == [first.id])
    #expect(try apply(.after([]), to: &second, among: known) == .done)
    #expect(second.after.isEmpty)
  }

  @Test func `cyclic dependencies are refused, indirect ones too`() throws {
    var known = Known()
    let ids = try ["a", "b", "c"].map { try EpisodeID("show/\($0)") }
    for (index, id) in ids.enumerated() {
      var episode = try Episode.sample()
      episode.id = id
      episode.after = index == 0 ? [] : [ids[index - 1]]
      known.episodes[id] = episode
    }
    var first = try #require(known.episodes[ids[0]])
    for id in ids {
      let failure = #expect(throws: Failure.self) {
        _ = try apply(.after([id]), to: &first, among: known)
      }
      #expect(failure?.code == .afterCycle)
    }
    #expect(first.after.isEmpty)
  }

  @Test func `an episode cannot wait for an unknown one`() throws {
    var episode = try Episode.sample()
    let failure = #expect(throws: Failure.self) {
      _ = try apply(.after([try EpisodeID("show/none")]), to: &episode)
    }
    #expect(failure?.code == .noSuchEpisode)
  }

  @Test(arguments: QueueAction.Mark.allCases)
  func `a mark is set and cleared`(mark: QueueAction.Mark) throws {
    var episode = try Episode.sample()
    var before = episode
    #expect(try apply(.mark([mark: true]), to: &episode) == .done)
    #expect(episode != before)
    #expect(try apply(.mark([mark: false]), to: &episode) == .done)
    // The time at which the mark was removed is kept: only newer reports of other programs count.
    #expect((episode.watchedAt != nil) == (mark == .watched))
    before.watchedAt = episode.watchedAt
    #expect((episode.by.time(of: .keep) != nil) == (mark == .keep))
    before.by = episode.by
    #expect(episode == before)
  }
}
