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

struct QueueEditorTests {
  private let library: ScratchLibrary
  private let editor: QueueEditor

  init() throws {
    library = try ScratchLibrary()
    editor = QueueEditor(library.tools)
  }

  private func add(_ names: String...) throws -> [EpisodeID] {
    try names.map { name in
      try library.take(.at("https://example.org/\(name).mp4", show: "show")).episode.id
    }
  }

  private func stored(_ id: EpisodeID) throws -> Episode {
    try #require(try library.again().snapshot().episode(id))
  }

  private func change(_ id: EpisodeID, _ body: (inout Episode) -> Void) throws {
    var episode = try stored(id)
    body(&episode)
    let changed = episode
    _ = try library.store.update(.soon) { $0.write(changed) }
  }

  /// Leaves the bytes of a part, as a killed fetch does.
  private func leavePartial(of id: EpisodeID) throws -> FilePath {
    let root = try library.mediaRoots.forNewFiles()
    try change(id) { $0.parts[0].state = .partial }
    let files = PartFiles(root: root.folder, episode: id, part: try stored(id).parts[0])
    try makeFolders(root.folder.appending(LibraryLayout.Folder.partial.path))
    for path in [files.partial, files.resume] {
      try AtomicFile.replace(path, with: [1, 2, 3], durable: false)
    }
    return files.partial
  }

  private func isThere(_ path: FilePath) throws -> Bool { try FileFacts.of(path) != nil }

  @Test func `an unknown episode does not affect the others, and the order is kept`() throws {
    let ids = try add("a", "b")
    let missing = try EpisodeID("show/none")
    let changes = try editor.perform(.pause, on: [ids[0], missing, ids[1], ids[1]])
    #expect(changes.map(\.result.name) == ["done", "failed", "done", "unchanged"])
    #expect(changes[1].result.failure?.code == .noSuchEpisode)
    #expect(try ids.map { try stored($0).want } == [.hold, .hold])
  }

  @Test func `a dry run reports changes without making them`() throws {
    let ids = try add("a")
    let planning = QueueEditor(library.tools(of: "queue", library.store.dryRun))
    let changes = try planning.perform(.cancel, on: ids)
    #expect(changes[0].episode?.want == Want.none)
    #expect(try stored(ids[0]).want == .fetch)
  }

  @Test func `the files of a cancelled part are removed if no process works on it`() throws {
    let id = try add("a")[0]
    let partial = try leavePartial(of: id)
    _ = try editor.perform(.cancel, on: [id])
    #expect(try !isThere(partial))
    #expect(try stored(id).state == .new)
  }

  @Test func `a cancelled part's files are left to the worker that holds the episode`() throws {
    let id = try add("a")[0]
    let partial = try leavePartial(of: id)
    let other = try library.again()
    let claim = try #require(try other.claims.claim(id))
    _ = try editor.perform(.cancel, on: [id])
    #expect(try isThere(partial))
    claim.release()
    // A crash may have happened before the removal; repeating the command is sufficient.
    _ = try editor.perform(.cancel, on: [id])
    #expect(try !isThere(partial))
  }

  @Test func `a worker that is notified of a cancellation removes the files itself`() throws {
    let id = try add("a")[0]
    var bytes = FakeBytes()
    bytes.meanwhile = { [library] in
      let other = QueueEditor(library.tools(of: "queue", try library.again()))
      let partial = try self.leavePartial(of: id)
      _ = try other.perform(.cancel, on: [id])
      let isThere = try self.isThere(partial)
      #expect(isThere)
      throw WorkEnded.wantChanged
    }
    let outcome = library.worker(bytes)
      .work(on: id, asked: false)
    #expect(outcome.result.name == "unchanged")
    #expect(outcome.result.hint?.contains("vmx queue") == true)
    let files = PartFiles(
      root: try library.mediaRoots.forNewFiles().folder, episode: id, part: try stored(id).parts[0])
    #expect(try !isThere(files.partial))
    #expect(try stored(id).state == .new)
  }

  @Test func `a worker does not overwrite a cancellation`() throws {
    let id = try add("a")[0]
    var bytes = FakeBytes(failureOfTransfer: nil)
    bytes.meanwhile = { [library] in
      let other = QueueEditor(library.tools(of: "queue", try library.again()))
      _ = try other.perform(.cancel, on: [id])
    }
    _ = library.worker(bytes)
      .work(on: id, asked: false)
    #expect(try stored(id).state == .new)
    #expect(try stored(id).want == Want.none)
  }

  @Test func `a pause keeps the state that the work has reached`() throws {
    let id = try add("a")[0]
    var bytes = FakeBytes()
    bytes.meanwhile = { [library] in
      let other = QueueEditor(library.tools(of: "queue", try library.again()))
      _ = try other.perform(.pause, on: [id])
      throw WorkEnded.wantChanged
    }
    _ = library.worker(bytes)
      .work(on: id, asked: false)
    #expect(try stored(id).state == .partial)
    #expect(try stored(id).want == .hold)
  }

  @Test func `a new request immediately after a cancellation is honoured`() throws {
    let id = try add("a")[0]
    let isFirst = Flag()
    var bytes = FakeBytes()
    bytes.meanwhile = { if isFirst.take() { throw WorkEnded.wantChanged } }
    let outcome = library.worker(bytes)
      .work(on: id, asked: false)
    #expect(outcome.result.name == "done")
  }

  @Test func `bytes of a cancelled part are not continued after a new request`() throws {
    let id = try add("a")[0]
    let partial = try leavePartial(of: id)
    _ = try editor.perform(.cancel, on: [id])
    let left = try leavePartial(of: id)
    try change(id) { $0.parts[0].state = .new }
    #expect(left == partial)
    _ = try editor.perform(.add, on: [id])
    var bytes = FakeBytes()
    bytes.meanwhile = {
      let isThere = try self.isThere(partial)
      #expect(!isThere)
    }
    #expect(
      library.worker(bytes)
        .work(on: id, asked: false).result.name == "done")
  }

  private static let film = "media/show/film.mp4"

  /// Leaves a published file whose publication was not recorded, because the process died.
  private func leavePublished(of id: EpisodeID, at path: String = film) throws {
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.write(path, "abc")
    try change(id) { episode in
      episode.parts[0].state = .checked
      episode.parts[0].root = root.uuid
      episode.parts[0].path = String(path.dropFirst("media/".count))
      episode.parts[0].size = FakeBytes.found.size
      episode.parts[0].sha256 = FakeBytes.found.sha256
    }
  }

  private func cancel(_ id: EpisodeID, digest: Digest = FakeBytes.found.sha256) throws -> Episode? {
    let editor = QueueEditor(library.tools(of: "queue", digest: { _ in digest }))
    return try editor.perform(.cancel, on: [id]).first?.episode
  }

  // Regression: the file remained, and no record named it.
  @Test func `a file renamed before its record is cancelled with it`() throws {
    let id = try add("a")[0]
    try leavePublished(of: id)
    let cancelled = try #require(try cancel(id))
    #expect(cancelled == (try stored(id)))
    #expect(cancelled.state == .new && cancelled.parts[0].path == nil)
    #expect(cancelled.parts[0].sha256 == nil)
    #expect(!library.scratch.exists("media/show"))
  }

  @Test func `a file with other bytes at that path is not cancelled`() throws {
    let id = try add("a")[0]
    try leavePublished(of: id)
    let other = try #require(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
    #expect(try cancel(id, digest: other)?.parts[0].path == nil)
    #expect(library.scratch.exists(Self.film))
  }

  @Test func `a file that another episode has at that path is not cancelled`() throws {
    let ids = try add("a", "b")
    try leavePublished(of: ids[0])
    try leavePublished(of: ids[1])
    try change(ids[1]) { $0.parts[0].state = .ready }
    _ = try cancel(ids[0])
    #expect(library.scratch.exists(Self.film))
  }

  @Test func `a worker removes the cancelled file left by a crash of the cancellation`() throws {
    let id = try add("a")[0]
    try leavePublished(of: id)
    let claim = try #require(try library.again().claims.claim(id))
    _ = try cancel(id)
    #expect(library.scratch.exists(Self.film))
    #expect(try stored(id).parts[0].path != nil)
    claim.release()
    let removal = EpisodeRemover(library.tools(of: "fetch") { _ in FakeBytes.found.sha256 })
    let outcome = library.worker(FakeBytes(), removal: removal)
      .work(on: id, asked: false)
    #expect(outcome.result.hint?.contains("vmx queue") == true)
    #expect(!library.scratch.exists(Self.film))
    #expect(try stored(id).parts[0].path == nil)
  }

  @Test func `a mark of a show applies to its future episodes`() throws {
    #expect(try editor.mark(show: "show", meteredOK: true))
    #expect(try !editor.mark(show: "show", meteredOK: true))
    let record = try library.again().snapshot().record(.show, "show")
    #expect(record?.fields["metered_ok"]?.bool == true)
    #expect(try editor.mark(show: "show", meteredOK: false))
    #expect(try library.again().snapshot().record(.show, "show")?.fields["metered_ok"] == nil)
  }
}
