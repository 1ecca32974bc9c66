import SystemPackage
import Testing
@testable import VmxFetching
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct DependencyPolicyTests {
  private let scratch: ScratchFolder
  private let store: LibraryStore
  private let first: EpisodeID
  private let second: EpisodeID

  /// The second episode comes after the first.
  init() throws {
    scratch = try ScratchFolder()
    store = try Self.open(scratch)
    first = try EpisodeID("show/first")
    second = try EpisodeID("show/second")
    try put(first)
    try put(second, after: [first])
  }

  private static func open(_ scratch: ScratchFolder) throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: FixedClock())
  }

  private func put(
    _ id: EpisodeID, _ want: Want = .fetch, _ state: PartState = .new, after: [EpisodeID] = []
  ) throws {
    var part = Part(role: .video, variants: [])
    part.state = state
    var episode = Episode(
      id: id, title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [part])
    episode.want = want
    episode.after = after
    let put = episode
    _ = try store.update(.soon) { $0.write(put) }
  }

  private func policy(seats: Int = 1) -> DependencyPolicy {
    DependencyPolicy(store, maxWaiting: seats, changes: ChangeSignal())
  }

  private func part(_ id: EpisodeID? = nil) throws -> PolicySubject {
    let episode = try #require(try store.snapshot().episode(id ?? second))
    var part = PolicySubject(episode: episode.id, part: "video", hosts: [])
    part.predecessors = episode.after
    return part
  }

  /// Returns the message of the refusal before the first byte; nil if the second episode may begin.
  private func refusal() throws -> String? {
    let refusal = try policy().refusal(of: part(), in: .admission)
    #expect(refusal == nil || refusal?.code == .predecessorFirst)
    return refusal?.summary
  }

  /// Whether the run waits until the refusal has passed.
  private func waits(_ policy: DependencyPolicy, _ id: EpisodeID? = nil) throws -> Bool {
    let part = try part(id)
    let refusal = try policy.refusal(of: part, in: .wait) ?? Failure(.predecessorFirst, "earlier")
    let limits = WaitLimits(
      maxWait: 0, waits: false, now: Timestamp(seconds: 0), idle: nil)
    return try policy.waits(for: refusal, of: part, limits)
  }

  @Test func `an episode waits for its predecessor`() throws {
    #expect(try refusal() == "'show/second' must wait for 'show/first'")
    #expect(try policy().refusal(of: part(), in: .transfer) == nil)
  }

  @Test(arguments: [(Want.fetch, PartState.ready), (.none, .partial), (.gone, .removed)])
  func `no episode waits for one that is ready or unwanted`(want: Want, state: PartState) throws {
    try put(first, want, state)
    #expect(try refusal() == nil)
    #expect(try policy().refusal(of: part(), in: .wait) == nil)
    #expect(try waits(policy()))
  }

  @Test func `no episode waits for an unknown predecessor`() throws {
    _ = try store.update(.soon) { $0.delete(.episode, first.description) }
    #expect(try refusal() == nil)
  }

  @Test func `renaming the predecessor changes nothing`() throws {
    let third = try EpisodeID("show/third")
    try put(third)
    _ = try store.update(.soon) { transaction in
      transaction.delete(.episode, first.description)
      transaction.writeAlias(first, third)
    }
    #expect(try refusal() == "'show/second' must wait for 'show/third'")
  }

  @Test func `a run waits for episodes that it started earlier, never for later ones`() throws {
    let dependencies = policy()
    #expect(try !waits(dependencies))
    dependencies.begin(first)
    dependencies.begin(second)
    #expect(try waits(dependencies))
    dependencies.end(first)
    #expect(try !waits(dependencies))
    dependencies.begin(first)
    #expect(try !waits(dependencies))
  }

  @Test func `a run waits for an episode that another process has in work`() throws {
    let other = try Self.open(scratch)
    let dependencies = policy()
    let claim = try #require(try other.claims.claim(first))
    #expect(try waits(dependencies))
    claim.release()
    #expect(try !waits(dependencies))
  }

  @Test func `no more episodes wait than there are slots`() throws {
    let third = try EpisodeID("show/third")
    try put(third, after: [first])
    let dependencies = policy(seats: 1)
    for id in [first, second, third] { dependencies.begin(id) }
    #expect(try waits(dependencies))
    // An episode that already waits keeps its seat.
    #expect(try waits(dependencies))
    #expect(try !waits(dependencies, third))
    dependencies.handle(.ended, of: try part())
    #expect(try waits(dependencies, third))
  }

  @Test func `a dependency removed during the wait no longer holds`() throws {
    let part = try part()
    #expect(try policy().refusal(of: part, in: .wait) != nil)
    try put(second)
    #expect(try policy().refusal(of: part, in: .wait) == nil)
  }
}
