import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

struct AdditionUndoTests {
  private let library: ScratchLibrary
  private let episode: Episode

  /// An import has added the film to an episode that was known without it.
  init() throws { try self.init(before: []) }

  /// - Parameter parts: the parts before the import.
  private init(before parts: [Part]) throws {
    library = try ScratchLibrary()
    let placed = try library.placed()
    var before = placed
    before.parts = parts
    let addition = JournalEntry.Addition(to: placed.id, parts: ["video"])
    let run = Operation(tool: "import", at: library.clock.now)
    try library.store.update(.durable) { [before] transaction in
      transaction.write(
        JournalEntry(run, .addition(addition, before: before), reason: "added").stored)
    }
    episode = placed
  }

  private func undoLast() throws -> [OperationResult] {
    let service = UndoService(EpisodeRemover(library.tools(of: "undo", try library.again())))
    var results: [OperationResult] = []
    try service.undo(try service.runs().entries(ofLast: 1)) { _, result, _ in
      results.append(result)
    }
    return results
  }

  // Regression: after a kill between the record and the file, the repeated undo left a film that no
  // record knew.
  @Test func `an undo that ends before the file moves is completed by the same command`() throws {
    try library.scratch.write("media/.vmx/trash", "a file, no folder")
    #expect(try undoLast().first?.failure != nil)
    #expect(try library.stored(episode.id)?.parts == episode.parts)
    #expect(library.scratch.exists(ScratchLibrary.film))

    try RegularFile.remove(library.scratch.path("media/.vmx/trash"))
    #expect(try undoLast().map(\.failure) == [nil])
    #expect(try library.stored(episode.id)?.parts == [])
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
  }

  // Regression: the trail had no step to the state before the import.
  @Test func `an undo returns to the state before the import, and the trail has the step`() throws {
    var failed = Part(role: .video, variants: [])
    failed.stop(by: Failure(.httpGone, "gone"), at: .partial)
    let undone = try AdditionUndoTests(before: [failed])
    #expect(try undone.undoLast().map(\.failure) == [nil])
    let stored = try #require(try undone.library.stored(undone.episode.id))
    #expect(stored.state == .failed)
    #expect(stored.trail.last?.from == .removed)
    #expect(stored.trail.last?.to == .failed)
  }

  // Regression: a second undo restored the film without a record.
  @Test func `a file that an undo removed is not restored by the next undo`() throws {
    #expect(try undoLast().count == 1)
    #expect(try undoLast().isEmpty)
    #expect(!library.scratch.exists(ScratchLibrary.film))
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
  }
}
