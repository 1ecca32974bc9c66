import Synchronization
import Testing
import VmxEngine
import VmxLibraryTestSupport
import VmxModel
import VmxTestSupport

/// Records the steps in memory and returns the episode as it was processed.
private final class MemoryJournal<Actions: Sendable>: StepJournal {
  let records = Mutex<[[Step<PartState>]]>([])

  func record(_ steps: [Step<PartState>], of context: inout PartContext<Actions>) throws {
    records.withLock { $0.append(steps) }
  }

  var path: [PartState] {
    let steps = records.withLock { $0.flatMap(\.self) }
    return steps.prefix(1).map(\.from) + steps.map(\.to)
  }

  /// The recorded states, in order.
  var recorded: [PartState] { records.withLock { $0.compactMap(\.last?.to) } }
}

struct RunnerTests {
  private func run(_ bytes: FakeBytes, from state: PartState = .new) throws -> (
    part: Part, path: [PartState]
  ) {
    let journal = MemoryJournal<PartActions>()
    var context = FetchContext(try .sample(state), part: 0, bytes.actions)
    try Runner(fetchMachines, journal: journal, clock: FixedClock()).run(&context)
    return (context.part, journal.path)
  }

  private func pathPastDeadVariant() throws -> [PartState] {
    var bytes = FakeBytes()
    bytes.deadSource = "http://127.0.0.1/dead.mp4"
    var episode = try Episode.sample()
    let source = Source(url: "http://127.0.0.1/dead.mp4")
    episode.parts[0].variants.insert(Variant(sources: [source]), at: 0)
    let journal = MemoryJournal<PartActions>()
    var context = FetchContext(episode, part: 0, bytes.actions)
    try Runner(fetchMachines, journal: journal, clock: FixedClock()).run(&context)
    return journal.path
  }

  private func remove(_ bytes: FakeBytes, from state: PartState) throws -> [PartState] {
    let journal = MemoryJournal<any PartRemoving>()
    var context = RemovalContext(try .sample(state), part: 0, bytes)
    try Runner([Removal.machine], journal: journal, clock: FixedClock()).run(&context)
    return journal.path
  }

  @Test func `a part proceeds from new to ready and each step is recorded`() throws {
    let end = try run(FakeBytes())
    #expect(end.path == [.new, .queued, .probed, .partial, .complete, .checked, .ready])
    #expect(end.part.sha256 == FakeBytes.found.sha256)
  }

  @Test func `a step is recorded before a file is changed`() throws {
    let journal = MemoryJournal<PartActions>()
    let seen = Mutex<[PartState?]>([])
    let bytes = FakeBytes(onTouch: { seen.withLock { $0.append(journal.recorded.last) } })
    var context = FetchContext(try .sample(), part: 0, bytes.actions)
    try Runner(fetchMachines, journal: journal, clock: FixedClock()).run(&context)
    #expect(seen.withLock { $0 } == [.partial, .checked])
    #expect(journal.recorded == [.partial, .checked, .ready])
  }

  @Test func `a complete part is not transferred again`() throws {
    let end = try run(FakeBytes(holding: .all, failureOfTransfer: .internalError))
    #expect(end.path == [.new, .queued, .complete, .checked, .ready])
  }

  @Test(
    arguments: [
      (FakeBytes(refusal: .diskFull), PartState.waiting, PartState.probed, WaitReason.space),
      (FakeBytes(failureOfTransfer: .rateLimited), .waiting, .partial, .backoff),
      (FakeBytes(failureOfTransfer: .httpGone), .failed, .partial, nil),
      (FakeBytes(failureOfCheck: .digestMismatch), .failed, .complete, nil),
      (FakeBytes(failureOfPlacing: .nameTaken), .failed, .checked, nil),
    ] as [(FakeBytes, PartState, PartState, WaitReason?)])
  func `an error of an action stops the part according to the class of its code`(
    bytes: FakeBytes, state: PartState, resumeState: PartState, reason: WaitReason?
  ) throws {
    let part = try run(bytes).part
    #expect(part.state == state)
    #expect(part.resumeState == resumeState)
    #expect(part.reason == reason)
    #expect(part.message == "as told")
  }

  @Test(arguments: [PartState.queued, .probed, .partial, .complete, .checked])
  func `after a crash the next run continues from the recorded state`(state: PartState) throws {
    #expect(try run(FakeBytes(), from: state).part.state == .ready)
  }

  // Regression: `vmx clean` removed the bytes of an episode that was cancelled before its
  // publication. Once it was wanted again, the fetch failed with part-lost.
  @Test func `lost bytes of an earlier run are fetched again`() throws {
    let end = try run(FakeBytes(isLostBeforeTransfer: true), from: .checked)
    #expect(end.part.state == .ready)
    #expect(
      end.path == [
        .checked, .complete, .queued, .probed, .partial, .complete, .checked, .ready,
      ])
  }

  @Test(arguments: PartState.allCases.filter(\.awaitsEvent))
  func `a final state is not changed`(state: PartState) throws {
    #expect(try run(FakeBytes(), from: state).path.isEmpty)
  }

  @Test func `an undeclared outcome is refused`() throws {
    let wild = StateMachine<PartState, FetchContext>(
      "wild", [.new: Action(to: [.queued]) { _ in .ready }])
    let journal = MemoryJournal<PartActions>()
    var context = FetchContext(try .sample(), part: 0, FakeBytes().actions)
    try Runner([wild], journal: journal, clock: FixedClock()).run(&context)
    #expect(context.part.code == .internalError)
  }

  @Test func `stopped work keeps the recorded state`() throws {
    struct Stopping: PartSource, FakeFinishing {
      func completedBytes(of part: FetchContext) throws -> CompletedBytes { .some(0) }
      func admit(_ part: FetchContext) throws {}
      func transfer(_ part: FetchContext) throws -> FoundBytes { throw WorkEnded.interrupted }
    }
    var context = FetchContext(
      try .sample(), part: 0, PartActions(source: Stopping(), finisher: Stopping()))
    let runner = Runner(fetchMachines, journal: MemoryJournal<PartActions>(), clock: FixedClock())
    #expect(throws: WorkEnded.interrupted) { try runner.run(&context) }
    #expect(context.part.state == .partial)
  }

  @Test func `every declared edge is used`() throws {
    var declared: Set<String> = []
    for table in partTables {
      for (state, outcomes) in table.outcomes {
        for outcome in outcomes { declared.insert("\(state) → \(outcome)") }
      }
    }
    var walked: Set<String> = []
    let runs: [(FakeBytes, PartState)] = [
      (FakeBytes(), .new), (FakeBytes(holding: .all), .new),
      (FakeBytes(isLostBeforeTransfer: true), .checked),
    ]
    for (bytes, state) in runs {
      let path = try run(bytes, from: state).path
      for (from, to) in zip(path, path.dropFirst()) { walked.insert("\(from) → \(to)") }
    }
    for state in [PartState.expired, .revoked, .missing, .damaged, .checked] {
      let path =
        try state.isBeingRemoved
        ? remove(FakeBytes(), from: state) : run(FakeBytes(), from: state).path
      for (from, to) in zip(path, path.dropFirst()) { walked.insert("\(from) → \(to)") }
    }
    let path = try pathPastDeadVariant()
    for (from, to) in zip(path, path.dropFirst()) { walked.insert("\(from) → \(to)") }
    #expect(walked == declared)
  }

  @Test func `a part without a source cannot be fetched`() throws {
    var episode = try Episode.sample()
    episode.parts[0].variants = []
    var context = FetchContext(episode, part: 0, FakeBytes().actions)
    try Runner(fetchMachines, journal: MemoryJournal<PartActions>(), clock: FixedClock()).run(
      &context)
    #expect(context.part.code == .noSource)
  }
}
