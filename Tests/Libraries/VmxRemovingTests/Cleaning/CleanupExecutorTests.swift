import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

@Suite struct CleanupExecutorTests {
  private let library: CleaningLibrary

  init() throws {
    library = try CleaningLibrary()
  }

  private func codes(_ outcomes: [OperationResult]) -> [ErrorCode?] {
    outcomes.map { $0.failure?.code }
  }

  @Test func `a root that goes away after the look is not touched`() throws {
    try library.put("t/a", at: "a.mp4")
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.recordMissing])
    try library.hideMark()
    let outcomes = try library.perform(steps)
    #expect(codes(outcomes) == [.rootAway])
    #expect(outcomes.map(\.name) == ["waiting"])
    #expect(try library.again().snapshot().episode(EpisodeID("t/a"))?.state == .ready)
  }

  @Test func `a root that is away is told of, and nothing else`() throws {
    try library.put("t/a", at: "a.mp4")
    try library.scratch.write("media/b.mp4", "other")
    try library.hideMark()
    #expect(try library.steps().map(\.kind) == [.reachRoot])
  }

  @Test func `a file that has come back meanwhile is not recorded as missing`() throws {
    try library.put("t/a", at: "a.mp4")
    let steps = try library.steps()
    try library.scratch.write("media/a.mp4", "12345")
    #expect(codes(try library.perform(steps)) == [.planChanged])
    #expect(try library.again().snapshot().episode(EpisodeID("t/a"))?.state == .ready)
  }

  // Regression: the step failed because the path could not be inspected.
  @Test func `a file whose folder has become a file is recorded as missing`() throws {
    try library.put("t/a", at: "Show/a.mp4")
    try library.scratch.write("media/Show", "a file")
    let steps = try library.steps().filter { $0.kind == .recordMissing }
    #expect(try library.perform(steps) == [.done])
    #expect(try library.again().snapshot().episode(EpisodeID("t/a"))?.state == .missing)
  }

  @Test func `a file that changed since the look stays`() throws {
    try library.scratch.write("media/b.txt", "one")
    var step = try #require(try library.steps().first)
    step.kind = .discardFile
    try library.scratch.write("media/b.txt", "another")
    #expect(codes(try library.perform([step])) == [.planChanged])
    #expect(try library.isThere("media/b.txt"))
  }

  // Regression: the journal entry stayed open for ever, and the next clean wrote a second one.
  @Test func `the row of a discarded file that a crash left open is closed`() throws {
    try library.scratch.write("media/b.txt", "one")
    var discard = try #require(try library.steps().first)
    discard.kind = .discardFile
    #expect(try library.perform([discard]) == [.done])
    let done = try #require(try library.again().snapshot().journalEntries().first)
    var begun = done
    begun.state = .begun
    begun.bytes = 0
    try library.again().update(.durable) { [begun] in $0.write(begun.stored) }
    let steps = try library.steps()
    #expect(steps.map(\.kind) == [.finishDiscard])
    #expect(try library.perform(steps) == [.done])
    #expect(try library.again().snapshot().journalEntries() == [done])
    #expect(try library.steps().isEmpty)
  }

  @Test func `the row of a file that a crash left in its place goes with its list`() throws {
    try library.scratch.write("media/b.txt", "one")
    var discard = try #require(try library.steps().first)
    discard.kind = .discardFile
    _ = try library.perform([discard])
    var begun = try #require(try library.again().snapshot().journalEntries().first)
    begun.state = .begun
    try library.again().update(.durable) { [begun] in $0.write(begun.stored) }
    let entry = "media/.vmx/trash/\(begun.trashName)"
    try renameReplacing(
      from: library.scratch.path("\(entry)/b.txt"), to: library.scratch.path("media/b.txt"))
    let steps = try library.steps().filter { $0.kind == .finishDiscard }
    #expect(try library.perform(steps) == [.done])
    #expect(try library.again().snapshot().journalEntries().isEmpty)
    #expect(try !library.isThere(entry) && library.isThere("media/b.txt"))
  }

  @Test func `a folder that something has come into stays`() throws {
    try library.scratch.makeFolder("media/Empty")
    let steps = try library.steps()
    try library.scratch.write("media/Empty/a.mp4", "12345")
    #expect(try library.perform(steps) == [.unchanged(hint: nil)])
    #expect(try library.isThere("media/Empty/a.mp4"))
  }

  @Test func `bytes whose episode is in work stay`() throws {
    let name = ".vmx/partial/00000000000000aa-video.part"
    try library.scratch.write("media/\(name)", "x")
    var step = CleaningStep(.dropPartial, explanation: "")
    step.root = library.root.uuid
    step.path = PathBytes(name)
    step.name = "t/a"
    let other = try library.again()
    let claim = try #require(try other.claims.claim(EpisodeID("t/a")))
    #expect(codes(try library.perform([step])) == [.lockBusy])
    claim.release()
    #expect(try library.isThere("media/\(name)"))
  }

  @Test(arguments: [
    (CleaningStep.Kind.dropPartial, "a.mp4"), (.dropSidecar, ".vmx/root.json"),
    (.dropDraft, "a.mp4"), (.dropOriginal, ".vmx/partial/a"),
  ])
  func `a kind of step has its place`(kind: CleaningStep.Kind, path: String) throws {
    var step = CleaningStep(kind, explanation: "")
    step.root = library.root.uuid
    step.path = PathBytes(path)
    #expect(codes(try library.perform([step])) == [.planChanged])
  }

  @Test(arguments: ["..", "../partial", "a/b", "", "."])
  func `only a name leads into the trash`(name: String) throws {
    var step = CleaningStep(.purgeTrash, explanation: "")
    step.root = library.root.uuid
    step.name = name
    #expect(codes(try library.perform([step])) == [.planChanged])
  }

  @Test func `an episode whose record has changed is not removed`() throws {
    try library.scratch.write("media/a.mp4", "12345")
    var step = CleaningStep(.remove, explanation: "")
    step.episode = try EpisodeID("t/a")
    step.rev = try library.put("t/a", at: "a.mp4") - 1
    #expect(codes(try library.perform([step])) == [.planChanged])
    #expect(try library.isThere("media/a.mp4"))
  }
}
