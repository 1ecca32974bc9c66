import SystemPackage
import Testing
import VmxDigest
import VmxEngine
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxQueueing
@testable import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport

// Regression: the files left the trash before a transaction that may refuse. They were then in the
// library without a record, and the next fetch created a second file ` (2)`.
struct RestorationTests {
  private let library: ScratchLibrary
  private let episode: Episode
  private let claim: Claim

  init() throws {
    library = try ScratchLibrary()
    episode = try library.placed()
    try library.remove(episode.id)
    claim = try #require(try library.store.claims.claim(episode.id))
  }

  private func restoration() throws -> Restoration {
    let row = try #require(try library.store.snapshot().journalEntries().first)
    return try Restoration(
      of: row, in: library.store, library.mediaRoots, clock: library.clock,
      digest: { try FileDigest.sha256(of: $0) })
  }

  private func add() throws {
    let publisher = QueueEditor(library.tools(of: "queue", try library.again()))
    _ = try publisher.perform(.add, on: [episode.id])
  }

  private var isFilmInPlace: Bool { library.scratch.exists(ScratchLibrary.film) }
  private var isFilmInTrash: Bool { library.trashed.contains("Show - S01E01 - A.mp4") }
  private var rows: [JournalEntry.State] {
    get throws { try library.again().snapshot().journalEntries().map(\.state) }
  }

  @Test func `a change after the check and before the first file leaves all in the trash`() throws {
    let restoration = try restoration()
    try add()
    #expect(throws: Failure.self) { try restoration.perform(library.removal) }
    #expect(isFilmInTrash && !isFilmInPlace)
    #expect(try rows == [.done])
  }

  // Regression: the films of requested episodes went back into the trash, and were fetched again.
  @Test func `a request while the files move leaves them in the library`() throws {
    let restoration = try restoration()
    let opened = try restoration.open()
    try restoration.restoreFiles()
    #expect(isFilmInPlace)
    try add()
    #expect(throws: Failure.self) { try restoration.close(opened) }
    #expect(try library.removal.finish(claimed: episode.id).result.failure == nil)
    #expect(library.scratch.names(in: "media/.vmx/trash").isEmpty)
    #expect(isFilmInPlace)
    #expect(try rows == [.undone])
    let again = try #require(try library.stored(episode.id))
    #expect(again.want == .fetch && again.state == .ready)
  }

  // Regression: the removal got an entry of its own, and that of the undo ended as done without a
  // file in its trash.
  @Test func `a removal that begins while the files move keeps the entry`() throws {
    let restoration = try restoration()
    let opened = try restoration.open()
    let options = RemovalOptions(.byHand, "as told")
    let store = try library.again()
    let start = try store.update(.durable) { transaction in
      let start = RemovalStart(
        options, of: try #require(try transaction.episode(episode.id)),
        run: library.removal.run, now: library.clock.now)
      return try start.recorded(in: &transaction, open: nil, options)
    }
    #expect(start.entry?.id == opened.entry.id)
    #expect(try rows == [.begun])
  }

  @Test func `a path that is taken while the files move returns them to the trash`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    try library.scratch.write(ScratchLibrary.film, "another film")
    #expect(throws: Failure.self) { try restoration.restoreFiles() }
    #expect(try library.removal.finish(claimed: episode.id).result.failure == nil)
    #expect(isFilmInTrash)
    #expect(try library.scratch.text(ScratchLibrary.film) == "another film")
    #expect(try rows == [.done])
  }

  @Test func `after a crash among the files the same command completes it`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    try restoration.restoreFiles()
    claim.release()
    try library.undo()
    #expect(try library.stored(episode.id)?.parts == episode.parts)
    #expect(isFilmInPlace)
    #expect(library.scratch.names(in: "media/.vmx/trash").isEmpty)
    #expect(try rows == [.undone])
  }

  @Test func `after a crash among the files a fetch finds them in their places`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    try restoration.restoreFiles()
    claim.release()
    try add()
    let bytes = FakeBytes(root: try library.mediaRoots.forNewFiles().uuid)
    let outcome = library.worker(bytes).work(on: episode.id, asked: false)
    #expect(outcome.result.name == "unchanged")
    #expect(!isFilmInTrash && isFilmInPlace)
  }

  @Test func `a forgotten episode is no record again when its restoration fails`() throws {
    claim.release()
    try library.undo()
    try library.remove(episode.id, forgets: true)
    let row = try #require(try library.store.snapshot().journalEntries().last)
    let restoration = try Restoration(
      of: row, in: library.store, library.mediaRoots, clock: library.clock,
      digest: { try FileDigest.sha256(of: $0) })
    _ = try restoration.open()
    try restoration.restoreFiles()
    _ = try library.removal.finish(episode.id)
    #expect(try library.stored(episode.id) == nil)
    #expect(isFilmInTrash && !isFilmInPlace)
  }

  @Test func `an entry is not purged while its files are on their way back`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    let other = EpisodeRemover(library.tools(of: "clean", try library.again()))
    let trash = Trash(root: try library.mediaRoots.forNewFiles())
    let entry = try library.trashEntry(in: trash)
    #expect(throws: Failure.self) { try other.purge(entry, from: trash) }
    #expect(isFilmInTrash)
  }

  @Test func `purging an entry after a crash takes the files that had left it too`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    try restoration.restoreFiles()
    claim.release()
    let trash = Trash(root: try library.mediaRoots.forNewFiles())
    try library.removal.purge(try library.trashEntry(in: trash), from: trash)
    #expect(library.trashed.isEmpty && !isFilmInPlace)
    #expect(try rows == [.purged])
    #expect(try library.stored(episode.id)?.state == .removed)
  }

  @Test func `removed for good after a crash, nothing of it is left`() throws {
    let restoration = try restoration()
    _ = try restoration.open()
    try restoration.restoreFiles()
    claim.release()
    try library.remove(episode.id, permanent: true)
    #expect(library.trashed.isEmpty && !isFilmInPlace)
    #expect(try rows == [.done])
  }
}

extension ScratchLibrary {
  /// Returns the oldest entry of a trash.
  func trashEntry(in trash: Trash) throws -> TrashEntry {
    let listing = try TrashListing(trash, ReadFailures(), now: clock.now)
    let name = try #require(listing.entries.first?.name)
    return try #require(try trash.entry(named: name))
  }
}
