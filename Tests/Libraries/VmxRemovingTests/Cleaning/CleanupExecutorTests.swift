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

  /// The step that discards the file of a step that only reports it.
  private func discarded(_ step: CleaningStep?) throws -> CleaningStep {
    guard let step, case .unknownFile(let file) = step.action else {
      throw Failure(.internalError, "not an unknown file")
    }
    return CleaningStep(.discardFile(file), explanation: step.explanation, bytes: step.bytes)
  }

  @Test func `a file that changed since the look stays`() throws {
    try library.scratch.write("media/b.txt", "one")
    let step = try discarded(try library.steps().first)
    try library.scratch.write("media/b.txt", "another")
    #expect(codes(try library.perform([step])) == [.planChanged])
    #expect(try library.isThere("media/b.txt"))
  }

  // Regression: the journal entry stayed open for ever, and the next clean wrote a second one.
  @Test func `the row of a discarded file that a crash left open is closed`() throws {
    try library.scratch.write("media/b.txt", "one")
    let discard = try discarded(try library.steps().first)
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

  /// Returns the journal entry of a discarded file that is in its place again, as if a crash had
  /// come between the list and the move.
  private func interruptedDiscard() throws -> JournalEntry {
    try library.scratch.write("media/b.txt", "one")
    _ = try library.perform([discarded(try library.steps().first)])
    var begun = try #require(try library.again().snapshot().journalEntries().first)
    begun.state = .begun
    try library.again().update(.durable) { [begun] in $0.write(begun.stored) }
    try renameReplacing(
      from: library.scratch.path("media/.vmx/trash/\(begun.trashName)/b.txt"),
      to: library.scratch.path("media/b.txt"))
    return begun
  }

  @Test func `the row of a file that a crash left in its place goes with its list`() throws {
    let begun = try interruptedDiscard()
    let steps = try library.steps().filter { $0.kind == .finishDiscard }
    #expect(try library.perform(steps) == [.done])
    #expect(try library.again().snapshot().journalEntries().isEmpty)
    #expect(try !library.isThere("media/.vmx/trash/\(begun.trashName)"))
    #expect(try library.isThere("media/b.txt"))
  }

  // Regression: the list of the trash was removed while another process moved the file into it.
  @Test func `a file that another process moves into the trash is left to it`() throws {
    let begun = try interruptedDiscard()
    let steps = try library.steps().filter { $0.kind == .finishDiscard }
    let claim = try #require(try library.again().claims.claim(fileOf: begun.id))
    #expect(try library.perform(steps) == [.unchanged()])
    let purge = CleaningStep(
      .purgeTrash(root: library.root.uuid, entry: begun.trashName), explanation: "")
    #expect(codes(try library.perform([purge])) == [.lockBusy])
    #expect(try library.again().snapshot().journalEntries() == [begun])
    #expect(try library.isThere("media/.vmx/trash/\(begun.trashName)/entry.json"))
    claim.release()
    #expect(try library.perform(steps) == [.done])
  }

  // Regression: an undo that returned files to the trash found its journal entry deleted.
  @Test func `a journal entry whose files are in the trash stays`() throws {
    try library.scratch.write("media/b.txt", "one")
    _ = try library.perform([discarded(try library.steps().first)])
    let done = try #require(try library.again().snapshot().journalEntries().first)
    let forget = CleaningStep(.forgetStep(entry: done.id), explanation: "")
    #expect(try library.perform([forget]) == [.unchanged()])
    #expect(try library.again().snapshot().journalEntries() == [done])
    let purge = CleaningStep(
      .purgeTrash(root: library.root.uuid, entry: done.trashName), explanation: "")
    #expect(try library.perform([purge, forget]) == [.done, .done])
    #expect(try library.again().snapshot().journalEntries().isEmpty)
  }

  // Regression: a rename between the plan and its execution lost the sidecar of the episode.
  @Test func `a sidecar that belongs to an episode by now stays`() throws {
    try library.put("t/a", at: "a.mp4")
    try library.scratch.write("media/a.mp4", "12345")
    let name = LibraryLayout.sidecar(of: try EpisodeID("t/a"))
    try library.scratch.write("media/\(name)", "{}")
    let facts = try #require(try FileFacts.of(library.scratch.path("media/\(name)")))
    let mark = FileMark(size: facts.size, modified: facts.modified, inode: facts.inode)
    let file = PlannedFile(root: library.root.uuid, path: PathBytes(name), mark: mark)
    let step = CleaningStep(.dropSidecar(file, of: try EpisodeID("t/a")), explanation: "")
    #expect(codes(try library.perform([step])) == [.planChanged])
    #expect(try library.isThere("media/\(name)"))
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
    let file = PlannedFile(
      root: library.root.uuid, path: PathBytes(name),
      mark: FileMark(size: 1, modified: 0, inode: 1))
    let step = CleaningStep(.dropPartial(file, of: try EpisodeID("t/a")), explanation: "")
    let other = try library.again()
    let claim = try #require(try other.claims.claim(EpisodeID("t/a")))
    #expect(codes(try library.perform([step])) == [.lockBusy])
    claim.release()
    #expect(try library.isThere("media/\(name)"))
  }

  @Test(arguments: [
    (CleaningPlanRow.Kind.dropPartial, "a.mp4"), (.dropSidecar, ".vmx/root.json"),
    (.dropDraft, "a.mp4"), (.dropOriginal, ".vmx/partial/a"),
  ])
  func `a kind of step has its place`(kind: CleaningPlanRow.Kind, path: String) throws {
    let file = PlannedFile(
      root: library.root.uuid, path: PathBytes(path),
      mark: FileMark(size: 1, modified: 0, inode: 1))
    let action: CleaningAction =
      switch kind {
      case .dropPartial: .dropPartial(file, of: nil)
      case .dropSidecar: .dropSidecar(file, of: nil)
      case .dropDraft: .dropDraft(file)
      default: .dropOriginal(file)
      }
    let result = try library.perform([CleaningStep(action, explanation: "")])
    #expect(codes(result) == [.planChanged])
    #expect(result.first?.failure?.summary.hasPrefix("not a file of this kind") == true)
  }

  @Test(arguments: ["..", "../partial", "a/b", "", "."])
  func `only a name leads into the trash`(name: String) throws {
    let step = CleaningStep(
      .purgeTrash(root: library.root.uuid, entry: name), explanation: "")
    #expect(codes(try library.perform([step])) == [.planChanged])
  }

  @Test func `an episode whose record has changed is not removed`() throws {
    try library.scratch.write("media/a.mp4", "12345")
    let rev = try library.put("t/a", at: "a.mp4") - 1
    let episode = EpisodeRevision(try EpisodeID("t/a"), rev: rev)
    let step = CleaningStep(.remove(episode, .rule, isPermanent: false), explanation: "")
    #expect(codes(try library.perform([step])) == [.planChanged])
    #expect(try library.isThere("media/a.mp4"))
  }
}
