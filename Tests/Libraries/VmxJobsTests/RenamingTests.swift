import SystemPackage
import Testing
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct RenamingTests {
  private let library: Library
  private let new: EpisodeID

  init() throws {
    library = try Library()
    new = try EpisodeID("show/b")
  }

  // The row kept the old id and the claim too: two tools removed the episode at once, each into
  // an entry of its own.
  @Test func `an episode on its way out keeps its id until it is removed`() throws {
    let episode = try library.placed()
    let claim = try #require(try library.again().claims.claim(episode.id))
    _ = try? library.remove(episode.id)
    claim.release()
    let refused = #expect(throws: Failure.self) {
      try Renaming(in: library.store).rename(episode.id, to: new)
    }
    #expect(refused?.code == .lockBusy)
    #expect(library.scratch.exists("media/.vmx/records/show~a.json"))
    #expect(try library.removal.finish(episode.id).failure == nil)
    #expect(library.scratch.names(in: "media/.vmx/trash").count == 1)
    #expect(try Renaming(in: library.store).rename(episode.id, to: new).isChanged)
  }

  @Test func `a removal that was waited for by its old id is that of the new id`() throws {
    let episode = try library.placed()
    _ = try Renaming(in: library.store).rename(episode.id, to: new)
    let claim = try #require(try library.again().claims.claim(new))
    _ = try? library.remove(episode.id)
    claim.release()
    #expect(try library.removal.finish(episode.id).failure == nil)
    #expect(try library.stored(new)?.state == .removed)
    #expect(try library.store.snapshot().stepRows().map(\.episode) == [new])
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
}
