import SystemPackage
import Testing
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

struct StagedPartPublisherTests {
  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private let store: LibraryStore
  private let intake: StagedPartPublisher
  private let root: MediaRoot
  private let film: ImportedFile
  private let former: EpisodeID
  private let present: EpisodeID

  /// Creates an episode that was renamed after an import had read its id.
  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    let tools = LibraryTools(
      store, clock: clock, tool: "import", newFilesBelow: scratch.path.appending("media"))
    intake = StagedPartPublisher(store: store, finisher: PartFinisher(tools), clock: clock)
    root = try tools.mediaRoots.forNewFiles()
    let folder = root.folder.appending(LibraryLayout.Folder.partial.path)
    try makeFolders(folder)
    let file = folder.appending("staged")
    try AtomicFile.replace(
      file, with: [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 500),
      durable: false)
    let size = try #require(try RegularFile.size(of: file))
    film = ImportedFile(
      file, part: "video",
      found: FoundBytes(
        size: size, sha256: try withFile(file) { try FileDigest.of($0).sha256 }, proof: .length))
    (former, present) = (try EpisodeID("show/a"), try EpisodeID("show/b"))
    let renamed = Episode(
      id: present, title: "A", showTitle: "Show", added: Timestamp(seconds: 0),
      parts: [Part(role: .video, variants: [])])
    let old = former
    _ = try store.update(.durable) { transaction in
      transaction.write(renamed)
      transaction.writeAlias(old, renamed.id)
    }
  }

  // Regression: the claim was on the former id, so a cancellation removed the file that was being
  // published.
  @Test func `files of a renamed episode wait for the claim on its present id`() throws {
    let other = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    let claim = try #require(try other.claims.claim(present))
    let refused = #expect(throws: Failure.self) {
      try intake.publish([film], of: former, root: root)
    }
    #expect(refused?.code == .lockBusy)
    #expect(try RegularFile.size(of: film.path) != nil)
    claim.release()
  }

  @Test func `files of a renamed episode are published under its present id`() throws {
    let (episode, unsaved) = try intake.publish([film], of: former, root: root)
    #expect(unsaved == nil)
    #expect(episode.id == present)
    #expect(try store.snapshot().episode(present)?.parts.first?.state == .ready)
  }

  // Regression: a rejected part ended the import, so the others stayed unpublished.
  @Test func `a rejected part does not stop the others`() throws {
    let subtitle = root.folder.appending(LibraryLayout.Folder.partial.path).appending("second")
    try AtomicFile.replace(subtitle, with: [0x78], durable: false)
    let part = Part(role: .subtitle, variants: [])
    let id = present
    _ = try store.update(.durable) { transaction in
      var episode = try #require(try transaction.episode(id))
      episode.parts.append(part)
      _ = transaction.recorded(episode)
    }
    let found = FoundBytes(
      size: ByteCount(clamping: 1),
      sha256: try withFile(subtitle) { try FileDigest.of($0).sha256 }, proof: .length)
    let rejected = #expect(throws: Failure.self) {
      try intake.publish(
        [ImportedFile(subtitle, part: part.name, found: found), film], of: present, root: root)
    }
    #expect(rejected?.code == .notSubtitle)
    let episode = try #require(try store.snapshot().episode(present))
    #expect(episode.parts.map(\.state) == [.ready, .failed])
    #expect(try Sidecar(of: present, below: root.folder).record(of: present) != nil)
  }
}
