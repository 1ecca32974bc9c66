import SystemPackage
import Testing
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

struct EpisodeRemoverTests {
  private let library: ScratchLibrary

  init() throws { library = try ScratchLibrary() }

  @Test func `an episode becomes a stub that keeps why it went`() throws {
    let episode = try library.placed()
    let result = try library.remove(episode.id)
    #expect(result.result == .done)
    #expect(try library.store.snapshot().journalEntries(of: episode.id).last?.bytes == 4 + 3)
    let stub = try #require(try library.stored(episode.id))
    #expect(stub.want == .gone)
    #expect(stub.state == .removed)
    #expect(stub.trail.map(\.to) == [.removing, .removed])
    #expect(stub.parts[0].path == nil)
  }

  @Test func `its files lie in the trash under their own names, with a list beside them`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    #expect(library.trashed == ["Show - S01E01 - A.mp4", "entry.json", "show~a.json"])
    #expect(!library.scratch.exists("media/Show"))
    #expect(library.scratch.exists("media/.vmx/root.json"))
  }

  @Test func `what is not ours stays, and so does its folder`() throws {
    let episode = try library.placed()
    try library.scratch.write("media/Show/notes.txt", "mine")
    try library.remove(episode.id)
    #expect(library.scratch.names(in: "media/Show") == ["notes.txt"])
  }

  @Test func `removed for good leaves nothing in the trash`() throws {
    let episode = try library.placed()
    try library.remove(episode.id, permanent: true)
    #expect(library.trashed.isEmpty)
    #expect(!library.scratch.exists(ScratchLibrary.film))
  }

  /// Records another episode with the same video file.
  private func sharing(
    _ episode: Episode, in state: PartState, _ change: (inout Part) -> Void = { _ in }
  ) throws -> Episode {
    var part = episode.parts[0]
    part.enter(state)
    change(&part)
    let other = Episode(
      id: try #require(EpisodeID(valid: "show/b")), title: "B", showTitle: "Show",
      added: library.clock.now, parts: [part])
    try library.store.update(.soon) { $0.write(other) }
    return other
  }

  // Regression: the removal of one took the file from both.
  @Test(arguments: [PartState.ready, .damaged, .missing])
  func `a file that another episode needs too stays until that one is removed`(
    _ state: PartState
  ) throws {
    let episode = try library.placed()
    let other = try sharing(episode, in: state)
    let result = try library.remove(episode.id)
    #expect(
      result.notes == [
        "'\(ScratchLibrary.film.dropFirst("media/".count))' is kept: it is the file of 'show/b' too"
      ])
    #expect(try library.stored(episode.id)?.state == .removed)
    #expect(library.scratch.exists(ScratchLibrary.film))
    #expect(try library.remove(other.id).notes.isEmpty)
    #expect(!library.scratch.exists(ScratchLibrary.film))
  }

  @Test func `two episodes that are removed together do not keep their file`() throws {
    let episode = try library.placed()
    let other = try sharing(episode, in: .ready)
    let options = RemovalOptions(.byHand, "removed by hand")
    let results = try library.removal.remove([episode.id, other.id], options)
    #expect(results.allSatisfy { $0.result == .done && $0.notes.isEmpty })
    #expect(!library.scratch.exists(ScratchLibrary.film))
  }

  @Test func `a missing file of other bytes does not keep the file of its name`() throws {
    let episode = try library.placed()
    let digest = Digest(.sha256, hex: String(repeating: "ab", count: 32))
    _ = try sharing(episode, in: .missing) { $0.sha256 = digest }
    try library.remove(episode.id)
    #expect(!library.scratch.exists(ScratchLibrary.film))
  }

  @Test func `a key never rests in the trash`() throws {
    let episode = try library.placed(key: true)
    try library.remove(episode.id)
    #expect(!library.trashed.contains { $0.hasSuffix(".key") })
    #expect(!library.scratch.exists("media/Show"))
  }

  @Test func `what expired never rests in the trash`() throws {
    let episode = try library.placed()
    let options = RemovalOptions(.expired, "expired")
    _ = try library.removal.remove([episode.id], options)
    #expect(library.trashed.isEmpty)
    let stub = try #require(try library.stored(episode.id))
    #expect(stub.trail.map(\.to) == [.expired, .removing, .removed])
    #expect(stub.want == .none)
  }

  @Test func `unfinished bytes go too`() throws {
    _ = try library.placed()
    let episode = try Episode.sample(.partial)
    let root = try library.mediaRoots.forNewFiles()
    try library.store.update(.soon) { $0.write(episode) }
    let files = PartFiles(root: root.folder, episode: episode.id, part: episode.parts[0])
    let name = try #require(files.partial.lastComponent?.string)
    try library.scratch.write("media/.vmx/partial/\(name)", "half")
    try library.remove(episode.id)
    #expect(library.trashed.contains(name))
    #expect(library.scratch.names(in: "media/.vmx/partial").isEmpty)
  }

  @Test func `a forgotten episode leaves no record`() throws {
    let episode = try library.placed()
    let result = try library.remove(episode.id, forgets: true)
    #expect(result.episode == nil)
    #expect(try library.stored(episode.id) == nil)
  }

  @Test func `what was removed already is unchanged`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    #expect(try library.remove(episode.id).result == .unchanged())
  }

  @Test func `an episode whose disk is away waits on its way out`() throws {
    let episode = try library.placed()
    try removeFile(library.scratch.path("media/.vmx/root.json"))
    let result = try library.remove(episode.id)
    #expect(result.result.failure?.code == .rootAway)
    #expect(result.result.name == "waiting")
    #expect(library.scratch.exists(ScratchLibrary.film))
    let stub = try #require(try library.stored(episode.id))
    #expect(stub.state == .waiting)
    #expect(stub.parts[0].resumeState == .removing)
    #expect(stub.want == .gone)
  }

  @Test func `and is removed once the disk is there again`() throws {
    let episode = try library.placed()
    let mark = try library.scratch.bytes("media/.vmx/root.json")
    try removeFile(library.scratch.path("media/.vmx/root.json"))
    try library.remove(episode.id)
    try library.scratch.write("media/.vmx/root.json", mark)
    #expect(try library.removal.finish(episode.id).result.failure == nil)
    #expect(try library.stored(episode.id)?.state == .removed)
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
  }

  @Test func `while it is in work elsewhere only its record says that it goes`() throws {
    let episode = try library.placed()
    let other = try library.again()
    let claim = try #require(try other.claims.claim(episode.id))
    let failed = #expect(throws: Failure.self) { try library.remove(episode.id) }
    #expect(failed?.code == .lockBusy)
    #expect(library.scratch.exists(ScratchLibrary.film))
    #expect(try library.stored(episode.id)?.state == .removing)
    claim.release()
    #expect(try library.removal.finish(episode.id).episode?.state == .removed)
  }

  @Test func `a crash between the record and the files is gone on with`() throws {
    let episode = try library.placed()
    let claim = try #require(try library.again().claims.claim(episode.id))
    _ = try? library.remove(episode.id)
    claim.release()
    let row = try #require(try library.store.snapshot().journalEntries().first)
    #expect(row.state == .begun)
    // The crash happened after some files had been moved.
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.makeFolder("media/.vmx/trash/\(row.trashName)")
    #expect(try Trash(root: root).entry(named: row.trashName) == nil)
    #expect(try library.removal.finish(episode.id).result.failure == nil)
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.done])
  }

  @Test func `an episode asked for again during its removal keeps its file`() throws {
    let episode = try library.placed()
    let claim = try #require(try library.again().claims.claim(episode.id))
    _ = try? library.remove(episode.id)
    claim.release()
    _ = try QueueEditor(library.tools)
      .perform(
        .add, on: [episode.id])
    _ = try library.removal.finish(episode.id)
    let again = try #require(try library.stored(episode.id))
    #expect(again.want == .fetch)
    #expect(again.state == .ready)
    #expect(try library.scratch.text(ScratchLibrary.film) == "film")
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.undone])
  }

  @Test func `a check of the fresh record refuses one and lets the others go`() throws {
    let episode = try library.placed()
    let other = try library.take(.at("https://example.org/other.mp4")).episode.id
    let options = RemovalOptions(.rule, "as told")
    let results = try library.removal.remove([episode.id, other], options) { fresh in
      if fresh.id == episode.id { throw Failure(.undoConflict, "as told") }
    }
    #expect(results[0].result == .failed(Failure(.undoConflict, "as told")))
    #expect(results[1].result == .done)
    #expect(try library.stored(episode.id)?.state == .ready)
  }

  @Test func `a dry run changes nothing`() throws {
    let episode = try library.placed()
    let options = RemovalOptions(.byHand, "as told")
    let removal = EpisodeRemover(library.tools(of: "rm", library.store.dryRun))
    let results = try removal.remove([episode.id], options)
    #expect(results[0].result == .done)
    #expect(try library.stored(episode.id) == episode)
  }

  @Test func `a worker that has it in work takes it away`() throws {
    let episode = try library.placed()
    var wanted = try Episode.sample(.new)
    wanted.rev = episode.rev
    let fresh = wanted
    try library.store.update(.soon) { $0.write(fresh) }
    let removal = library.removal
    var bytes = FakeBytes(root: try library.mediaRoots.forNewFiles().uuid)
    bytes.meanwhile = {
      let options = RemovalOptions(.byHand, "as told")
      _ = try removal.remove([fresh.id], options)
    }
    let outcome = library.worker(bytes, removal: removal).work(on: fresh.id, asked: false)
    #expect(outcome.result.name == "unchanged")
    #expect(try library.stored(fresh.id)?.state == .removed)
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.done])
  }

  // Regression: the second removal left a part without a reason, which caused an internal error.
  @Test func `what is asked for and removed again meanwhile is removed`() throws {
    var episode = try library.placed()
    var subtitle = Part(role: .subtitle, language: "en", variants: [])
    subtitle.state = .ready
    episode.parts.insert(subtitle, at: 0)
    let stored = episode
    try library.store.update(.soon) { $0.write(stored) }
    try library.scratch.write("media/Show/a.nfo", "nfo")
    let written = #"{"nfo":{"path":"Show/a.nfo","sha256":"00"}}"#
    try library.scratch.write("media/.vmx/records/show~a.json", written)
    let meanwhile: @Sendable () throws -> Void = { [library] in
      let other = try library.again()
      _ = try QueueEditor(library.tools(of: "queue", other))
        .perform(
          .add, on: [stored.id])
      let publisher = EpisodeRemover(library.tools(of: "rm", other))
      _ = try publisher.remove([stored.id], RemovalOptions(.byHand, "as told"))
    }
    let removal = EpisodeRemover(
      library.tools(of: "rm") { _ in
        try meanwhile()
        return FakeBytes.found.sha256
      })
    let options = RemovalOptions(.byHand, "as told")
    let result = try #require(try removal.remove([episode.id], options).first)
    #expect(result.result.failure == nil)
    #expect(try library.stored(episode.id)?.state == .removed)
    #expect(try library.stored(episode.id)?.parts.map(\.state) == [.removed, .removed])
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.done])
  }

  // Regression: an interrupted digest caused an internal error.
  @Test func `a removal that is interrupted says so and goes on later`() throws {
    let episode = try library.placed()
    try library.scratch.write("media/Show/a.nfo", "nfo")
    let written = #"{"nfo":{"path":"Show/a.nfo","sha256":"00"}}"#
    try library.scratch.write("media/.vmx/records/show~a.json", written)
    let removal = EpisodeRemover(
      library.tools(of: "clean") { _ in throw WorkEnded.interrupted })
    let options = RemovalOptions(.byHand, "as told")
    let result = try #require(try removal.remove([episode.id], options).first)
    let failed = result.result.failure
    #expect(failed?.code == .interrupted)
    try library.scratch.write("media/.vmx/records/show~a.json", "{}")
    #expect(try library.removal.finish(episode.id).result.failure == nil)
    #expect(try library.stored(episode.id)?.state == .removed)
  }

  @Test func `made permanent while it goes, nothing stays in the trash`() throws {
    let episode = try library.placed()
    try library.scratch.write("media/Show/a.nfo", "nfo")
    let written = #"{"nfo":{"path":"Show/a.nfo","sha256":"00"}}"#
    try library.scratch.write("media/.vmx/records/show~a.json", written)
    let meanwhile: @Sendable () throws -> Void = { [library] in
      let options = RemovalOptions(.byHand, "as told", isPermanent: true)
      _ = try library.removal.remove([episode.id], options)
    }
    let removal = EpisodeRemover(
      library.tools(of: "rm", try library.again()) { _ in
        try meanwhile()
        return FakeBytes.found.sha256
      })
    _ = try removal.remove([episode.id], RemovalOptions(.byHand, "as told"))
    #expect(library.trashed.isEmpty)
    let rows = try library.again().snapshot().journalEntries()
    #expect(rows.map(\.state) == [.done] && rows.allSatisfy(\.isPermanent))
  }

  // Regression: the undo entry exceeded the maximum line length, and the episode could not be
  // removed.
  @Test(arguments: [false, true])
  func `a record that fills a line is shortened when it is removed`(forgets: Bool) throws {
    var episode = try library.placed()
    episode.title = String(repeating: "x", count: (16 << 20) - 2000)
    try library.store.update(.durable) { [episode] in $0.write(episode) }
    let result = try library.remove(episode.id, forgets: forgets)
    #expect(result.result == .done)
    #expect(library.trashed.contains("Show - S01E01 - A.mp4"))
    try library.undo()
    let again = try #require(try library.stored(episode.id))
    #expect(again.state == .ready && again.title.utf8.count == 1000)
    #expect(library.scratch.exists(ScratchLibrary.film))
  }

  @Test func `a loose file goes to the trash of its root`() throws {
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.write("media/stray", "12345")
    #expect(try library.removal.discard(PathBytes("stray"), in: root, reason: "foreign") == 5)
    #expect(library.trashed == ["entry.json", "stray"])
  }

  // Regression: an entry remained that could be neither undone nor completed.
  @Test func `a loose file that cannot be moved leaves no step`() throws {
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.write("media/stray", "12345")
    try library.scratch.write("media/.vmx/trash", "in the way")
    #expect(throws: FileError.self) {
      try library.removal.discard(PathBytes("stray"), in: root, reason: "foreign")
    }
    #expect(try library.store.snapshot().journalEntries().isEmpty)
    #expect(library.scratch.exists("media/stray"))
  }

  @Test func `purging takes the entry and tells the row`() throws {
    let episode = try library.placed()
    try library.remove(episode.id)
    let trash = Trash(root: try library.mediaRoots.forNewFiles())
    try library.removal.purge(try library.trashEntry(in: trash), from: trash)
    #expect(library.trashed.isEmpty)
    #expect(try library.store.snapshot().journalEntries().map(\.state) == [.purged])
  }
}
