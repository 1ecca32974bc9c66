import Testing
import VmxModel

/// Requests of a user, as they change want and states. Planted changes in these functions are
/// noticed here, not only by the stories of `vmx queue`.
struct EpisodeQueueingTests {
  private static let now = Timestamp(seconds: 1_700_000_000)
  private static let damaged = DamagedFile(
    sha256: nil, size: nil, inode: 1, damagedSize: 7, modified: 0)

  private func episode(_ states: PartState..., want: Want = .fetch) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID("a/b"), title: "", showTitle: "", added: Timestamp(seconds: 0),
      parts: states.enumerated().map { index, state in
        var part =
          index == 0 ? Part(role: .video, variants: []) : Part(role: .image, variants: [])
        part.state = state
        if [.waiting, .failed].contains(state) { part.resumeState = .partial }
        return part
      })
    episode.want = want
    return episode
  }

  // MARK: add, request

  @Test(arguments: [Want.none, .gone]) func `a new request is queued behind earlier ones`(
    want: Want
  ) throws {
    var episode = try episode(.new, want: want)
    try episode.add(now: Self.now)
    #expect(episode.want == .fetch)
    #expect(episode.place == Self.now.nanoseconds)
  }

  @Test(arguments: [Want.fetch, .hold]) func `a repeated request keeps its place`(
    want: Want
  ) throws {
    var episode = try episode(.new, want: want)
    try episode.add(now: Self.now)
    #expect(episode.want == .fetch)
    #expect(episode.place == nil)
  }

  @Test func `a request queues removed parts again, and no other ones`() throws {
    var episode = try episode(.removed, .ready, want: .gone)
    try episode.add(now: Self.now)
    #expect(episode.parts.map(\.state) == [.queued, .ready])
    #expect(episode.trail.map(\.to) == [.queued])
  }

  @Test func `an expired episode is refused unless it is ready`() throws {
    var expired = try episode(.new)
    expired.text.expires = Timestamp(seconds: 1_600_000_000)
    #expect(throws: Failure.self) { try expired.checkFetchable(now: Self.now) }
    #expect(throws: Failure.self) { try expired.add(now: Self.now) }
    var ready = try episode(.ready)
    ready.text.expires = Timestamp(seconds: 1_600_000_000)
    try ready.checkFetchable(now: Self.now)
  }

  @Test func `only a typed id brings back what the user removed, and none releases a hold`() throws
  {
    var gone = try episode(.removed, want: .gone)
    try gone.request(isTyped: false, now: Self.now)
    #expect(gone.want == .gone)
    try gone.request(isTyped: true, now: Self.now)
    #expect(gone.want == .fetch)
    var held = try episode(.new, want: .hold)
    try held.request(isTyped: true, now: Self.now)
    #expect(held.want == .hold)
  }

  @Test(arguments: [true, false]) func `only a typed id is a request to watch it again`(
    isTyped: Bool
  ) throws {
    var watched = try episode(.new)
    watched.isWatched = true
    try watched.request(isTyped: isTyped, now: Self.now)
    #expect((watched.requestedAgainAt != nil) == isTyped)
  }

  // MARK: drop, hold, resume

  @Test func `a request is withdrawn unless the user removed the episode`() throws {
    var wanted = try episode(.partial)
    #expect(wanted.withdraw() == nil)
    #expect(wanted.want == .none)
    #expect(wanted.state == .partial)
    var gone = try episode(.removed, want: .gone)
    #expect(gone.withdraw()?.contains("vmx queue add a/b") == true)
    #expect(gone.want == .gone)
  }

  @Test func `only what is to be fetched is put on hold`() throws {
    var partial = try episode(.partial)
    #expect(partial.pause() == nil)
    #expect(partial.want == .hold)
    #expect(partial.isPaused)
    var lacking = try episode(.ready, .failed)
    #expect(lacking.pause() == nil)
    #expect(lacking.want == .hold)
    var ready = try episode(.ready)
    #expect(ready.pause() == nil)
    #expect(ready.want == .fetch)
    var unwanted = try episode(.new, want: .none)
    #expect(unwanted.pause() != nil)
    #expect(unwanted.want == .none)
  }

  @Test func `nothing is left to hold of an episode that is over`() throws {
    for state in PartState.allCases {
      let episode = try episode(state, want: .hold)
      let isOver: Set<PartState> = [.ready, .removed, .removing, .expired, .revoked, .failed]
      #expect(episode.isPaused == !isOver.contains(state), "\(state)")
    }
  }

  @Test func `a hold is released, and nothing else is requested by that`() throws {
    var held = try episode(.partial, want: .hold)
    #expect(held.resume() == nil)
    #expect(held.want == .fetch)
    for want in [Want.none, .gone] {
      var other = try episode(.partial, want: want)
      #expect(other.resume() != nil)
      #expect(other.want == want)
    }
  }

  // MARK: cancel

  @Test func `a cancellation resets what is unfinished, and keeps what is ready`() throws {
    var episode = try episode(.partial, .ready)
    episode.parts[0].size = ByteCount(clamping: 7)
    #expect(episode.cancel(now: Self.now) == nil)
    #expect(episode.want == .none)
    #expect(episode.parts.map(\.state) == [.new, .ready])
    #expect(episode.parts[0].size == nil)
    #expect(episode.trail.map(\.to) == [.new])
    #expect(episode.cancelledParts.map(\.name) == ["video"])
  }

  @Test func `a cancellation keeps the name of a file that may have been published`() throws {
    var episode = try episode(.checked)
    episode.parts[0].root = "r"
    episode.parts[0].path = "a.mp4"
    episode.parts[0].size = ByteCount(clamping: 7)
    #expect(episode.cancel(now: Self.now) == nil)
    #expect(episode.parts[0].state == .new)
    #expect(episode.parts[0].path == "a.mp4")
    #expect(episode.parts[0].size == ByteCount(clamping: 7))
  }

  @Test func `a cancelled repair leaves the damaged file`() throws {
    var episode = try episode(.partial)
    episode.parts[0].path = "a.mp4"
    episode.parts[0].repairs = Self.damaged
    #expect(episode.cancel(now: Self.now) == nil)
    #expect(episode.parts[0].state == .damaged)
    #expect(episode.parts[0].repairs == nil)
    #expect(episode.parts[0].path == "a.mp4")
  }

  @Test func `what is ready or removed by the user is not cancelled`() throws {
    var ready = try episode(.ready)
    #expect(ready.cancel(now: Self.now)?.contains("vmx queue drop a/b") == true)
    #expect(ready.want == .fetch)
    var gone = try episode(.partial, want: .gone)
    #expect(gone.cancel(now: Self.now)?.contains("vmx queue add a/b") == true)
    #expect(gone.state == .partial)
  }

  @Test(arguments: [PartState.missing, .damaged])
  func `a stopped repair is not reset by a cancellation`(state: PartState) throws {
    var episode = try episode(.failed)
    episode.parts[0].resumeState = state
    #expect(episode.cancel(now: Self.now) == nil)
    #expect(episode.parts[0].state == .failed)
  }

  // MARK: retry

  @Test func `a retry queues what stopped, and requests an unwanted episode`() throws {
    var failed = try episode(.failed, .waiting, want: .none)
    #expect(failed.retry(now: Self.now) == nil)
    #expect(failed.want == .fetch)
    #expect(failed.place == Self.now.nanoseconds)
    #expect(failed.parts.map(\.state) == [.queued, .queued])
    var wanted = try episode(.failed, .partial)
    #expect(wanted.retry(now: Self.now) == nil)
    #expect(wanted.place == nil)
    #expect(wanted.parts.map(\.state) == [.queued, .partial])
  }

  @Test func `a retry inspects a damaged file again, and leaves a removal that stopped`() throws {
    var damaged = try episode(.failed)
    damaged.parts[0].resumeState = .damaged
    #expect(damaged.retry(now: Self.now) == nil)
    #expect(damaged.state == .damaged)
    var leaving = try episode(.waiting)
    leaving.parts[0].resumeState = .removing
    #expect(leaving.retry(now: Self.now) == nil)
    #expect(leaving.state == .waiting)
  }

  @Test func `without anything to retry the hint names the next step`() throws {
    var held = try episode(.partial, want: .hold)
    #expect(held.retry(now: Self.now)?.contains("vmx queue resume a/b") == true)
    var unwanted = try episode(.new, want: .none)
    #expect(unwanted.retry(now: Self.now)?.contains("vmx queue add a/b") == true)
    var wanted = try episode(.partial)
    #expect(wanted.retry(now: Self.now) == nil)
    var gone = try episode(.failed, want: .gone)
    #expect(gone.retry(now: Self.now) != nil)
    #expect(gone.state == .failed)
  }

  // MARK: stop

  @Test func `a failure stops the part by the class of its code`() throws {
    var part = Part(role: .video, variants: [])
    part.stop(by: Failure(.httpGone, "gone"), at: .partial)
    #expect(part.state == .failed)
    #expect(part.code == .httpGone)
    #expect(part.resumeState == .partial)
    #expect(part.reason == nil)
    part.stop(by: Failure(.rateLimited, "wait"), at: .partial)
    #expect(part.state == .waiting)
    #expect(part.reason == .backoff)
    part.repairs = Self.damaged
    part.stop(by: Failure(.mediaBroken, "ends early"), at: .checked)
    #expect(part.state == .damaged)
    #expect(part.code == .mediaBroken)
    #expect(part.message == "ends early")
    #expect(part.repairs == nil)
  }
}
