import Synchronization
import Testing
import VmxEngine
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
    _ word: MeteredVerdict.Value, allowsMetered: Bool = false, _ questions: MadeAnswers? = nil
  ) throws -> MeteredPolicy {
    let network = NetworkMonitor(
      .decided(MeteredVerdict(word, .configured("network.metered"))), configuredName: "home",
      environment: try testEnvironment(), changes: ChangeSignal())
    var environment = try testEnvironment(steps: clock)
    environment.questions = questions
    return MeteredPolicy(
      network, allowsMetered: allowsMetered, store: store, environment: environment,
      queue: WorkQueue(of: store, transfers: 1) { _ in 0 })
  }

  @Test func `a metered network refuses parts that are not allowed`() throws {
    let part = try subject()
    let refusal = try policy(.yes).refusal(of: part, in: .admission)
    #expect(refusal?.code == .networkMetered)
    #expect(
      refusal?.summary
        == "'t/a' waits for an unmetered network; this one is metered (network.metered)")
    #expect(try policy(.yes, allowsMetered: true).refusal(of: part, in: .admission) == nil)
    #expect(try policy(.unknown).refusal(of: part, in: .admission) == nil)
    #expect(try policy(.no).refusal(of: part, in: .admission) == nil)
  }

  @Test(arguments: [
    (MeteredAnswer.no, [true, true, true]), (.yes, [false, false, false]),
    (.always, [false, false, true]),
  ])
  func `a user is prompted once, before a transfer and not during it`(
    _ answer: MeteredAnswer, refused: [Bool]
  ) throws {
    let questions = MadeAnswers(answer)
    let policy = try policy(.yes, questions)
    #expect(try policy.refusal(of: subject("t/a"), in: .transfer) != nil)
    #expect(questions.asked.withLock { $0 }.isEmpty)
    let refusals = try ["t/a", "t/b", "u/a"].map { id in
      try policy.refusal(of: subject(id), in: .admission) != nil
    }
    #expect(refusals == refused)
    #expect(try (policy.refusal(of: subject("u/a"), in: .transfer) != nil) == refused[2])
    #expect(questions.asked.withLock { $0 } == ["t/a network.metered"])
  }

  @Test func `a user is not prompted for what a mark allows`() throws {
    let questions = MadeAnswers(.no)
    var fields = JSONObject()
    fields.append("metered_ok", true)
    let show = StoredRecord(kind: .show, id: "t", fields: fields)
    _ = try store.update(.soon) { $0.write(show) }
    #expect(try policy(.yes, questions).refusal(of: subject(), in: .admission) == nil)
    #expect(questions.asked.withLock { $0 }.isEmpty)
  }

  @Test func `a mark of the episode or its show takes effect within a second`() throws {
    let policy = try policy(.yes)
    #expect(try policy.refusal(of: subject(), in: .transfer) != nil)
    var fields = JSONObject()
    fields.append("metered_ok", true)
    let show = StoredRecord(kind: .show, id: "t", fields: fields)
    _ = try store.update(.soon) { $0.write(show) }
    clock.pass(1000)
    #expect(try policy.refusal(of: subject(), in: .transfer) == nil)
    var episode = Episode(
      id: try EpisodeID("u/a"), title: "", showTitle: "", added: Timestamp(seconds: 0), parts: [])
    #expect(try policy.refusal(of: subject("u/a"), in: .transfer) != nil)
    episode.isMeteredOK = true
    let marked = episode
    _ = try store.update(.soon) { $0.write(marked) }
    clock.pass(1000)
    #expect(try policy.refusal(of: subject("u/a"), in: .transfer) == nil)
  }
}

/// Gives one answer to the question about a metered network, and counts the questions.
private final class MadeAnswers: FetchPrompts {
  private let answer: MeteredAnswer
  let asked = Mutex<[String]>([])

  init(_ answer: MeteredAnswer) {
    self.answer = answer
  }

  func confirmMetered(for id: EpisodeID, source: String) -> MeteredAnswer {
    asked.withLock { $0.append("\(id) \(source)") }
    return answer
  }

  func variant(of id: EpisodeID, among offered: [Variant], usual: Variant) -> Variant { usual }
}
