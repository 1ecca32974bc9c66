import Testing
import VmxLibrary
import VmxModel
@testable import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

@Suite struct LoginScanTests {
  private let library: CleaningLibrary

  init() throws {
    library = try CleaningLibrary()
  }

  private func scanned() throws -> [CleaningStep] {
    let options = CleaningOptions(
      trash: TrashRules(keep: 86_400_000, quota: .percent(100), reserve: ByteCount(clamping: 0)))
    let store = try library.again()
    var scan = LoginScan(
      options: options, now: library.clock.now, end: Deadline(milliseconds: 60_000))
    let mediaRoots = MediaRoots(store: store, newFilesBelow: library.scratch.path)
    _ = try scan.roots(of: store, mediaRoots)
    #expect(scan.episodes(of: try store.snapshot(), from: 0) == 0)
    #expect(scan.failures.isEmpty)
    return scan.steps
  }

  // Regression: at login, open journal entries of removals and discarded files were not completed.
  @Test func `the work at login plans the same completions and removals as clean`() throws {
    try library.scratch.write("media/a.mp4", "12345")
    try library.put("t/a", at: "a.mp4") { $0.parts[0].enter(.removing) }
    try library.scratch.write("media/b.mp4", "12345")
    try library.put("t/b", at: "b.mp4") { $0.expires = library.clock.now }
    var before: Episode?
    try library.put("t/c", at: "c.mp4") { episode in
      before = episode
      episode.parts[0].enter(.removed)
      (episode.parts[0].root, episode.parts[0].path) = (nil, nil)
    }
    let run = Operation(tool: "rm", at: library.clock.now)
    let removal = JournalEntry(run, .removal(of: try #require(before)), reason: "as told")
    var discard = JournalEntry(run, .looseFile, name: "word", reason: "as told")
    discard.roots = [library.root.uuid]
    try library.again().update(.durable) { [discard] transaction in
      transaction.write(removal.stored)
      transaction.write(discard.stored)
    }
    let kinds: Set<CleaningPlanRow.Kind> = [.finishRemoval, .finishDiscard, .expire]
    let planned = try library.steps().filter { kinds.contains($0.kind) }
    #expect(planned.map(\.id) == ["t/a", "t/c", discard.id, "t/b"])
    let scanned = try scanned()
    #expect(scanned.sorted { $0.id < $1.id } == planned.sorted { $0.id < $1.id })
  }
}
