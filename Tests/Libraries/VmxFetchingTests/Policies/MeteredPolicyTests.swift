import Testing
@testable import VmxFetching
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct MeteredPolicyTests {
  private let folder: ScratchFolder
  private let store: LibraryStore
  private let clock = StepClock()

  init() throws {
    folder = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
  }

  private func policy(
    _ word: MeteredVerdict.Word, allowsMetered: Bool = false
  ) throws -> MeteredPolicy {
    let network = NetworkMonitor(
      .given(MeteredVerdict(word, .given("network.metered"))), name: "home",
      try testEnvironment(), ChangeSignal())
    return MeteredPolicy(
      network, allowsMetered: allowsMetered, store, try testEnvironment(steps: clock))
  }

  @Test func `a metered network refuses what is not allowed`() throws {
    let part = try subject()
    let refusal = try policy(.yes).refusal(of: part, in: .admission)
    #expect(refusal?.code == .networkMetered)
    #expect(
      refusal?.summary
        == "'t/a' waits for a network that is not metered, as network.metered says of this one")
    #expect(try policy(.yes, allowsMetered: true).refusal(of: part, in: .admission) == nil)
    #expect(try policy(.unknown).refusal(of: part, in: .admission) == nil)
    #expect(try policy(.no).refusal(of: part, in: .admission) == nil)
  }

  @Test func `a mark of the episode or its show allows it within a second`() throws {
    let policy = try policy(.yes)
    #expect(try policy.refusal(of: subject(), in: .transfer) != nil)
    var fields = JSONObject()
    fields.append("metered_ok", true)
    let show = StoredRecord(kind: .show, id: "t", fields: fields)
    _ = try store.update(.soon) { $0.put(show) }
    clock.pass(1000)
    #expect(try policy.refusal(of: subject(), in: .transfer) == nil)
    var episode = Episode(
      id: try EpisodeID("u/a"), title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [])
    #expect(try policy.refusal(of: subject("u/a"), in: .transfer) != nil)
    episode.isMeteredOK = true
    let marked = episode
    _ = try store.update(.soon) { $0.put(marked) }
    clock.pass(1000)
    #expect(try policy.refusal(of: subject("u/a"), in: .transfer) == nil)
  }
}
