import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxFetching

struct DependencyGateTests {
  private let scratch: ScratchFolder
  private let store: LibraryStore
  private let first: EpisodeID
  private let second: EpisodeID

  /// The second comes after the first.
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
    _ = try store.update(.soon) { $0.put(put) }
  }

  private func predecessor() throws -> EpisodeID? {
    let episode = try #require(try store.snapshot().episode(second))
    return try DependencyGate(store, seats: 1).predecessor(of: episode)
  }

  private struct Waited: Error {}

  /// Whether it sat down to wait.
  private func sits(_ dependencies: DependencyGate) throws -> Bool {
    do {
      _ = try dependencies.waitForPolicy(second) { throw Waited() }
      return false
    } catch is Waited {
      return true
    }
  }

  @Test func `an episode waits for the one before it`() throws {
    #expect(try predecessor() == first)
  }

  @Test(arguments: [(Want.fetch, PartState.ready), (.none, .partial), (.gone, .removed)])
  func `no episode waits for one that is ready or not wanted`(want: Want, state: PartState) throws {
    try put(first, want, state)
    #expect(try predecessor() == nil)
    #expect(try DependencyGate(store, seats: 1).waitForPolicy(second) { throw Waited() })
  }

  @Test func `no episode waits for one that does not exist`() throws {
    _ = try store.update(.soon) { $0.delete(.episode, first.description) }
    #expect(try predecessor() == nil)
  }

  @Test func `a new name of the one before it changes nothing`() throws {
    let third = try EpisodeID("show/third")
    try put(third)
    _ = try store.update(.soon) { transaction in
      transaction.delete(.episode, first.description)
      transaction.putAlias(first, third)
    }
    #expect(try predecessor() == third)
  }

  @Test func `a run waits for what it took up before, never for what comes later`() throws {
    let dependencies = DependencyGate(store, seats: 1)
    #expect(try !sits(dependencies))
    dependencies.begin(first)
    dependencies.begin(second)
    #expect(try sits(dependencies))
    dependencies.end(first)
    #expect(try !sits(dependencies))
    dependencies.begin(first)
    #expect(try !sits(dependencies))
  }

  @Test func `a run waits for what another process has in work`() throws {
    let other = try Self.open(scratch)
    let dependencies = DependencyGate(store, seats: 1)
    let claim = try #require(try other.claims.claim(first))
    #expect(try sits(dependencies))
    claim.release()
    #expect(try !sits(dependencies))
  }

  @Test func `no more sit than there are seats`() throws {
    let dependencies = DependencyGate(store, seats: 1)
    dependencies.begin(first)
    dependencies.begin(second)
    var inner: Bool?
    #expect(throws: Waited.self) {
      _ = try dependencies.waitForPolicy(second) {
        inner = try sits(dependencies)
        throw Waited()
      }
    }
    #expect(inner == false)
    #expect(try sits(dependencies))
  }
}
