import Glibc
import SystemPackage
import Testing
import VmxJobs
import VmxModel
import VmxProving
import VmxStore
import VmxTestSupport

struct QuickSieveTests {
  let library: ProvingLibrary

  init() throws { library = try ProvingLibrary() }

  private func change(_ id: String, _ change: (inout Part) -> Void) throws {
    try library.store.update(.soon) { transaction in
      guard var episode = try transaction.episode(EpisodeID(id)) else { return }
      change(&episode.parts[0])
      transaction.put(episode)
    }
  }

  private func run(_ settings: ProvingSettings) -> ProvingRun {
    ProvingRun(
      store: library.store, shelf: library.shelf, clock: library.clock, settings: settings,
      shouldStop: { false })
  }

  private func quick() -> ProvingSettings {
    var settings = ProvingSettings()
    settings.isQuick = true
    settings.tellsIntact = false
    return settings
  }

  @Test func `only what is not as recorded is left for a closer look`() throws {
    let ids = ["t/a", "t/gone", "t/b", "t/short", "t/new", "t/hurt", "t/away", "t/c"]
    for (place, id) in ids.enumerated() { try library.add(id, [UInt8(place), 2, 3]) }
    try #require(unlink(library.scratch.path("media/t/gone.mp4").string) == 0)
    try library.scratch.write("media/t/short.mp4", [1])
    try change("t/new") { $0.state = .new }
    try change("t/hurt") { $0.state = .damaged }
    try change("t/away") { $0.root = "1b9d0f54-8f0c-4b8a-8a44-6f3e0f8f5a10" }
    let run = run(quick())
    let sieve = try #require(run.sieve)
    let snapshot = try library.store.snapshot()
    var left: [String] = []
    snapshot.mediaGlances(through: sieve) { glance in
      left.append(glance.id.description)
      return true
    }
    // Where a root is away nothing behind it is looked at together either.
    #expect(left == ["t/gone", "t/short", "t/hurt", "t/away", "t/c"])
    var answers: [String: ProofAnswer?] = [:]
    let end = try run.perform { hand in
      snapshot.mediaGlances(through: sieve) { hand(ProofItem.all(of: $0)) }
    } report: {
      answers[$0.item.id.description] = $0.answer
    }
    #expect(
      answers == [
        "t/gone": .missing, "t/short": .damaged, "t/hurt": .intact, "t/away": .unreachable,
      ])
    // Twice two that the sieve passed over, and one that it left.
    #expect(end.intact == 5)
  }

  @Test func `where each file counts there is no sieve`() {
    var settings = quick()
    settings.tellsIntact = true
    #expect(run(settings).sieve == nil)
    settings = quick()
    settings.budget = ByteCount(10)
    #expect(run(settings).sieve == nil)
    settings = quick()
    settings.milliseconds = 10
    #expect(run(settings).sieve == nil)
    settings = quick()
    settings.isQuick = false
    #expect(run(settings).sieve == nil)
  }
}
