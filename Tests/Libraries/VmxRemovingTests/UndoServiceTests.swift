import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
@testable import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

struct UndoServiceTests {
  private let library: ScratchLibrary

  init() throws { library = try ScratchLibrary() }

  private func conflict(_ body: () throws -> Void) -> ErrorCode? {
    do {
      try body()
      return nil
    } catch {
      return Failure(error).code
    }
  }

  @Test func `what was removed is as it was, files and record`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    try library.undo()
    let again = try #require(try library.stored(episode.id))
    #expect(again.parts == episode.parts)
    #expect(again.want == .fetch)
    #expect(again.trail.map(\.to) == [.removing, .removed, .ready])
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
    #expect(library.scratch.names(in: "media/.vmx/trash").isEmpty)
  }

  @Test func `what was forgotten is known again`() throws {
    let episode = try library.placed()
    try library.remove(episode.id, forgets: true)
    try library.undo()
    #expect(try library.stored(episode.id)?.state == .ready)
  }

  // Regression: both records had the same URL, so that descriptions with it became ambiguous.
  @Test func `what was forgotten stays so while another episode has its identity`() throws {
    var episode = try library.placed()
    episode.identity = [.key("url:http://127.0.0.1/a.mp4")]
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    try library.remove(episode.id, forgets: true)
    var other = Episode(
      id: try #require(EpisodeID(valid: "show/other")), title: "Other", showTitle: "Show",
      added: library.clock.now, parts: [])
    other.identity = episode.identity
    try library.store.update(.soon) { [other] in $0.write(other) }
    #expect(conflict { try library.undo() } == .undoConflict)
    #expect(try library.stored(episode.id) == nil)
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
  }

  @Test func `a second undo of the same step is refused`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    try library.undo()
    #expect(conflict { try library.undo() } == .undoImpossible)
  }

  @Test func `a key is fetched anew`() throws {
    let episode = try library.placed(key: true)
    try library.remove(episode.id)
    try library.undo()
    let parts = try #require(try library.stored(episode.id)).parts
    #expect(parts.map(\.state) == [.ready, .new])
    #expect(parts[1].path == nil)
  }

  @Test func `an episode that was changed since is left alone`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    _ = try QueueEditor(library.tools)
      .perform(
        .add, on: [episode.id])
    #expect(conflict { try library.undo() } == .undoConflict)
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
  }

  @Test func `a file that took the name since stays`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    try library.scratch.write(ScratchLibrary.film, "another film")
    #expect(conflict { try library.undo() } == .undoConflict)
    #expect(try library.scratch.text(ScratchLibrary.film) == "another film")
    #expect(try library.stored(episode.id)?.state == .removed)
  }

  @Test func `what was purged cannot be brought back`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let trash = Trash(root: try library.mediaRoots.forNewFiles())
    try library.removal.purge(try library.trashEntry(in: trash), from: trash)
    #expect(conflict { try library.undo() } == .undoImpossible)
  }

  @Test func `what was deleted for good cannot be brought back`() throws {
    let episode = try library.placed()
    try library.remove(episode.id, permanent: true)
    #expect(conflict { try library.undo() } == .undoImpossible)
  }

  @Test func `a trash that was emptied by hand is reported`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let entry = try #require(library.scratch.names(in: "media/.vmx/trash").first)
    try removeFile(library.scratch.path("media/.vmx/trash/\(entry)/Show - S01E01 - A.mp4"))
    #expect(conflict { try library.undo() } == .undoImpossible)
    #expect(try library.stored(episode.id)?.state == .removed)
  }

  @Test func `a crash between the files and the record is mended by doing it again`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let entry = try #require(library.scratch.names(in: "media/.vmx/trash").first)
    try library.scratch.makeFolder("media/Show/Season 01")
    try renameNoReplace(
      from: library.scratch.path("media/.vmx/trash/\(entry)/Show - S01E01 - A.mp4"),
      to: library.scratch.path(ScratchLibrary.film))
    try library.undo()
    #expect(try library.stored(episode.id)?.state == .ready)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
  }

  @Test func `a root that is away keeps the step for later`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    try removeFile(library.scratch.path("media/.vmx/root.json"))
    #expect(conflict { try library.undo() } == .rootAway)
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.done])
  }

  @Test func `a removal that a crash left half done is finished, then taken back`() throws {
    let episode = try library.placed()
    let claim = try #require(try library.again().claims.claim(episode.id))
    _ = try? library.remove(episode.id)
    claim.release()
    try library.undo()
    #expect(try library.stored(episode.id)?.state == .ready)
    #expect(library.scratch.exists(ScratchLibrary.film))
  }

  @Test func `a removal that a crash left with an open row puts its files back`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    // Imitates a crash after the files were removed and the episode was recorded, but before the
    // entry was.
    var row = try #require(library.store.snapshot().journalEntries().first)
    row.state = .begun
    row.roots = []
    row.bytes = 0
    row.rev = nil
    _ = try library.store.update(.soon) { $0.write(row.stored) }
    try library.undo()
    #expect(try library.stored(episode.id)?.state == .ready)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.undone])
  }

  @Test func `a list that leads out of the root is none`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let name = try #require(library.scratch.names(in: "media/.vmx/trash").first)
    let list = "media/.vmx/trash/\(name)/entry.json"
    let text = try library.scratch.text(list)
    let bad = text.replacing("Show/Season 01/Show - S01E01 - A.mp4", with: "../../../etc/passwd")
    #expect(bad != text)
    try library.scratch.write(list, bad)
    #expect(conflict { try library.undo() } == .undoImpossible)
  }

  @Test func `runs are told the last first`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let other = try library.take(.at("https://example.org/other.mp4")).episode.id
    var tools = library.tools
    tools.run = Operation(tool: "clean", at: library.clock.now.adding(milliseconds: 1000))
    let later = EpisodeRemover(tools)
    _ = try later.remove([other], RemovalOptions(.rule, "as told"))
    let undo = UndoService(later)
    #expect(try undo.runs().map(\.run.tool) == ["clean", "rm"])
  }

  // Regression: the entry of the second removal replaced that of the first.
  @Test func `each removal of an episode in one run has its own entry`() throws {
    let episode = try library.placed()
    let removal = library.removal
    _ = try removal.remove([episode.id], RemovalOptions(.byHand, "as told"))
    try library.undo()
    _ = try removal.remove([episode.id], RemovalOptions(.byHand, "as told"))
    let entries = try library.store.snapshot().journalEntries()
    #expect(entries.map(\.name) == ["show/a", "show/a~2"])
    #expect(entries.map(\.state) == [.undone, .done])
  }

  // Regression: an undo of early additions, which have no digests, must still find its source.
  @Test func `an addition without digests restores a moved source`() throws {
    var episode = try library.placed()
    episode.parts[0].size = ByteCount(4)
    let source = library.scratch.path.appending("old.mp4")
    let addition = JournalEntry.Addition(
      to: episode.id, parts: ["video"], sources: ["video": source.string])
    let run = Operation(tool: "migrate", at: library.clock.now)
    try library.store.update(.durable) { [episode] transaction in
      transaction.write(episode)
      transaction.write(
        JournalEntry(run, .addition(addition, before: nil), reason: "added").stored)
    }
    try library.undo()
    #expect(try library.scratch.text("old.mp4") == "film")
    #expect(try library.stored(episode.id) == nil)
  }

  @Test(arguments: [true, false])
  func `the fields of an addition are read as they were written`(isMoved: Bool) throws {
    let digest = try #require(Digest(.sha256, bytes: Array(repeating: 7, count: 32)))
    let addition = JournalEntry.Addition(
      to: try EpisodeID("show/a"), parts: ["video"],
      sources: isMoved ? ["video": "/old/a.mp4"] : [:], digests: ["video": digest])
    let entry = JournalEntry(
      Operation(tool: "migrate", at: library.clock.now), .addition(addition, before: nil),
      reason: "added")
    #expect(JournalEntry(entry.stored) == entry)
  }

  @Test func `an entry is written with the bytes of earlier versions`() throws {
    let digest = try #require(Digest(.sha256, bytes: Array(repeating: 7, count: 32)))
    let run = Operation(tool: "rm", at: Timestamp(seconds: 1_800_000_000))
    let before = Episode(
      id: try EpisodeID("show/a"), title: "A", showTitle: "Show",
      added: Timestamp(seconds: 0), parts: [])
    var entry = JournalEntry(run, .removal(of: before), reason: "as told")
    (entry.isPermanent, entry.removesRecord) = (true, true)
    (entry.cause, entry.isUntouched, entry.undoes) = (.byHand, true, "x/y")
    (entry.successor, entry.roots, entry.bytes) = (digest, ["r"], 5)
    (entry.lostRoot, entry.rev, entry.joined) = ("q", 9, before)
    var bytes: [UInt8] = []
    JSONWriter.append(entry.content, to: &bytes)
    let record =
      #"{"identity":[],"title":"A","show_title":"Show","want":"fetch","#
      + #""added":"1970-01-01T00:00:00.000Z","parts":[]}"#
    let previous = #""episode":"show/a","before_rev":0,"before":"# + record
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"tool":"rm","when":"2027-01-15T08:00:00.000Z","state":"begun","reason":"as told","#
        + #""permanent":true,"forget":true,"cause":"by-hand","untouched":true,"undoes":"x/y","#
        + #""successor":""# + digest.hex + #"","roots":["r"],"bytes":5,"lost_root":"q","rev":9,"#
        + #""joined":{"# + previous + "}," + previous + "}")
    #expect(JournalEntry(entry.stored) == entry)
  }

  // Regression: rating, age rating, chapters and guid of the migration stayed.
  @Test func `the undo of a migration restores the whole description of an episode`() throws {
    let episode = try library.placed()
    var migrated = episode
    migrated.title = "Another"
    migrated.rating = Rating(7.5)
    migrated.ageRating = AgeRating("12")
    migrated.chapters = [Chapter(start: 0, title: "Start")]
    migrated.chaptersURL = "https://a.example/chapters.json"
    migrated.pageURL = "https://a.example/watch?v=1"
    (migrated.feed, migrated.guid) = ("films", "guid-1")
    migrated.isWatched = true
    let addition = JournalEntry.Addition(to: episode.id, parts: [])
    let run = Operation(tool: "migrate", at: library.clock.now)
    try library.store.update(.durable) { [migrated] transaction in
      transaction.write(migrated)
      transaction.write(
        JournalEntry(run, .addition(addition, before: episode), reason: "added").stored)
    }
    try library.undo()
    var restored = try #require(try library.stored(episode.id))
    #expect(restored.isWatched)
    (restored.isWatched, restored.rev) = (false, episode.rev)
    #expect(restored == episode)
  }
}
