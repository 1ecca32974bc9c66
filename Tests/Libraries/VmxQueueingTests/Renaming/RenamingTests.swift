import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxRemoving
import VmxStore
import VmxSystem
import VmxTestSupport
@testable import VmxQueueing

struct RenamingTests {
  private let library: ScratchLibrary
  private let new: EpisodeID

  init() throws {
    library = try ScratchLibrary()
    new = try EpisodeID("show/b")
  }

  // Regression: the entry and the claim kept the old id. Two tools removed the episode at the same
  // time, each into a trash entry of its own.
  @Test func `an episode being removed keeps its id until it is removed`() throws {
    let episode = try library.placed()
    let claim = try #require(try library.again().claims.claim(episode.id))
    _ = try? library.remove(episode.id)
    claim.release()
    let refused = #expect(throws: Failure.self) {
      try Renaming(in: library.store).rename(episode.id, to: new)
    }
    #expect(refused?.code == .lockBusy)
    #expect(library.scratch.exists("media/.vmx/records/show~a.json"))
    #expect(try library.removal.finish(episode.id).result.failure == nil)
    #expect(library.scratch.names(in: "media/.vmx/trash").count == 1)
    #expect(try Renaming(in: library.store).rename(episode.id, to: new).result == .done)
  }

  @Test func `a pending removal under the old id applies to the new id`() throws {
    let episode = try library.placed()
    _ = try Renaming(in: library.store).rename(episode.id, to: new)
    let claim = try #require(try library.again().claims.claim(new))
    _ = try? library.remove(episode.id)
    claim.release()
    #expect(try library.removal.finish(episode.id).result.failure == nil)
    #expect(try library.stored(new)?.state == .removed)
    #expect(try library.store.snapshot().journalEntries().map(\.episode) == [new])
  }

  @Test func `an episode in work keeps its id`() throws {
    let episode = try library.placed()
    for id in [episode.id, new] {
      let claim = try #require(try library.again().claims.claim(id))
      let refused = #expect(throws: Failure.self) {
        try Renaming(in: library.store).rename(episode.id, to: new)
      }
      #expect(refused?.code == .lockBusy)
      claim.release()
    }
  }

  // Regression: the sidecar already had the new id, so the removal missed the NFO file.
  @Test func `a crash before the record leaves the sidecar under the old id`() throws {
    let episode = try library.placed()
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.write("media/Show/a.nfo", "nfo")
    let digest = FakeBytes.found.sha256
    let written = #"{"id":"show/a","nfo":{"path":"Show/a.nfo","sha256":"\#(digest.hex)"}}"#
    try library.scratch.write("media/.vmx/records/show~a.json", written + "\n")
    let files = EpisodeFiles(id: episode.id, parts: episode.parts, roots: [root.folder])
    try files.rename(to: new)
    let removal = EpisodeRemover(library.tools(of: "rm", digest: { _ in digest }))
    _ = try removal.remove([episode.id], RemovalOptions(.byHand, "as told"))
    #expect(!library.scratch.exists("media/Show"))
  }

  @Test func `the sidecar is moved to the new id`() throws {
    let episode = try library.placed()
    _ = try Renaming(in: library.store).rename(episode.id, to: new)
    #expect(library.scratch.names(in: "media/.vmx/records") == ["show~b.json"])
    #expect(try library.scratch.text("media/.vmx/records/show~b.json").contains("show/b"))
  }
}
