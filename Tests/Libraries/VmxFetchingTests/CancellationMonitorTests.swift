import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

@testable import VmxFetching

struct CancellationMonitorTests {
  private let scratch: ScratchFolder
  private let id: EpisodeID
  private let store: LibraryStore

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: FixedClock())
    id = try EpisodeID("show/a")
    try put(.fetch)
  }

  private func put(_ want: Want) throws {
    // Another process has its own instance of the store.
    let other = try LibraryStore.open(
      LibraryHome(scratch.path.appending("home")), clock: FixedClock())
    var episode = Episode(
      id: id, title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [])
    episode.want = want
    let put = episode
    _ = try other.update(.soon) { $0.write(put) }
  }

  @Test(arguments: [Want.hold, .none, .gone])
  func `a changed want is noticed within half a second`(want: Want) throws {
    let time = StepClock()
    let watch = CancellationMonitor(store, try testEnvironment(steps: time))
    #expect(watch.refusal(of: id) == nil)
    try put(want)
    time.pass(500)
    #expect(watch.refusal(of: id)?.code == .held)
    try put(.fetch)
    #expect(watch.refusal(of: id) == nil)
  }

  @Test func `a recently recorded state is not read again until shortly afterwards`() throws {
    let time = StepClock()
    let watch = CancellationMonitor(store, try testEnvironment(steps: time))
    try put(.hold)
    watch.markWanted(id)
    #expect(watch.refusal(of: id) == nil)
    time.pass(500)
    #expect(watch.refusal(of: id)?.code == .held)
  }

  @Test func `an episode missing from the store is not wanted`() throws {
    let watch = CancellationMonitor(store, try testEnvironment())
    #expect(watch.refusal(of: try EpisodeID("show/none")) != nil)
  }
}
