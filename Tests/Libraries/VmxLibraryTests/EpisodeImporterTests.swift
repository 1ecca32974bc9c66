import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxLibrary

struct EpisodeImporterTests {
  private let library: ScratchLibrary

  init() throws {
    library = try ScratchLibrary()
  }

  private func code(_ description: EpisodeDescription) throws -> ErrorCode? {
    do {
      _ = try library.take(description)
      return nil
    } catch let failure as Failure {
      return failure.code
    }
  }

  @Test func `a new description is added`() throws {
    let taken = try library.take(.at("https://example.org/a/film.mp4"))
    #expect(taken.verdict == .added)
    #expect(taken.episode.id.description == "example.org/film")
    #expect(taken.episode.want == .fetch)
  }

  @Test func `a repeated description is unchanged and writes no line`() throws {
    let first = try library.take(.at("https://example.org/film.mp4"))
    let second = try library.take(.at("https://example.org/film.mp4?utm_source=mail"))
    #expect(second.verdict == .updated)
    let third = try library.take(.at("https://example.org/film.mp4"))
    #expect(third.verdict == .unchanged)
    #expect(third.episode.id == first.episode.id)
    #expect(third.episode.rev == second.episode.rev)
  }

  @Test func `one match updates and keeps the id`() throws {
    let first = try library.take(.at("https://example.org/1.mp4", show: "Show", number: 1))
    var again = try EpisodeDescription.at("https://mirror.org/1.mp4", show: "Show", number: 1)
    again.title = "A title"
    let taken = try library.take(again)
    #expect(taken.verdict == .updated)
    #expect(taken.episode.id == first.episode.id)
    #expect(taken.episode.title == "A title")
  }

  @Test func `two different matches are ambiguous`() throws {
    _ = try library.take(.at("https://example.org/1.mp4"))
    _ = try library.take(.at("https://example.org/2.mp4", show: "Show", number: 2))
    let both = try EpisodeDescription.at("https://example.org/1.mp4", show: "Show", number: 2)
    #expect(try code(both) == .ambiguous)
  }

  @Test func `an id of another episode is refused`() throws {
    let first = try library.take(.at("https://example.org/1.mp4"))
    var other = try EpisodeDescription.at("https://example.org/2.mp4")
    other.id = first.episode.id
    #expect(try code(other) == .idTaken)
  }

  @Test func `a duplicate generated id gets a number`() throws {
    _ = try library.take(.at("https://example.org/a/film.mp4"))
    let second = try library.take(.at("https://example.org/b/film.mp4"))
    #expect(second.episode.id.description == "example.org/film-2")
  }

  @Test func `a removed episode is restored when the user requests it`() throws {
    var removed = try library.take(.at("https://example.org/film.mp4")).episode
    removed.want = .gone
    let gone = removed
    _ = try library.store.update(.soon) { $0.write(gone) }
    let row = try library.take(.at("https://example.org/film.mp4"), isTyped: false)
    #expect(row.verdict == .unchanged && row.episode.want == .gone)
    let typed = try library.take(.at("https://example.org/film.mp4"))
    #expect(typed.episode.want == .fetch)
    #expect(typed.note?.contains("it is wanted again") == true)
  }

  @Test func `user and password are stored outside the record`() throws {
    let episode = try library.take(.at("https://anna:geheim@example.org/film.mp4")).episode
    let source = episode.parts[0].variants[0].sources[0]
    #expect(!source.url.contains("geheim"))
    let secret = try library.store.secrets.get(try #require(source.secret))
    #expect(secret == Secret(user: "anna", password: "geheim"))
  }

  // Regression: the failure to rename one file back hid the error, and the other files kept their
  // new names.
  @Test func `a file that cannot be restored neither hides the error nor stops the others`() throws
  {
    let root = try library.mediaRoots.forNewFiles()
    try library.scratch.makeFolder("media/.vmx/partial")
    let claim = try #require(try library.store.claims.claim(EpisodeID("show/1")))
    let sha256 = try #require(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
    let found = FoundBytes(size: ByteCount(clamping: 5), sha256: sha256, proof: .length)
    let staged = try ["video", "image"].map { part in
      try library.scratch.write("media/\(part)", "bytes")
      return ImportedFile(library.scratch.path("media/\(part)"), part: part, found: found)
    }
    let lost = PartFiles(root: root.folder, episode: claim.id, name: "video").partial
    #expect(throws: EpisodeImporter.Superseded.self) {
      try EpisodeImporter.receive(staged, under: claim, isNew: true, in: root) { _ in
        try removeFile(lost)
        throw EpisodeImporter.Superseded()
      }
    }
    #expect(!library.scratch.exists("media/video"))
    #expect(library.scratch.exists("media/image"))
  }

  private func exported(_ url: String) throws -> EpisodeImporter {
    let description = try EpisodeDescription.at(url, show: "Show", number: 1)
    return try EpisodeImporter(
      exported: description, identityKeys: description.identityKeys, secrets: library.store.secrets)
  }

  private func take(
    _ importer: EpisodeImporter, _ received: EpisodeImporter.Received? = nil
  ) throws -> EpisodeImporter.Imported {
    try library.store.update(.soon) { transaction in
      try importer.upsert(into: &transaction, now: library.clock.now, received: received)
    }
  }

  // Regression: a killed import left episodes without files, whose fetch failed because they had no
  // source.
  @Test func `a new episode with received files is recorded as complete`() throws {
    let importer = try exported("https://example.org/1.mp4")
    let id = try importer.newID(in: library.store.snapshot())
    let sha256 = try #require(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
    let found = FoundBytes(size: ByteCount(clamping: 5), sha256: sha256, proof: .length)
    let received = EpisodeImporter.Received(id, root: "uuid", ["video": found])
    let episode = try take(importer, received).episode
    #expect(episode.id == id)
    #expect(episode.parts.map(\.state) == [.complete])
    #expect(episode.parts.map(\.sha256) == [sha256] && episode.parts.map(\.root) == ["uuid"])
    // The same import again adds no episode.
    #expect(throws: EpisodeImporter.Superseded.self) { try take(importer, received) }
    #expect(try library.store.snapshot().episode(id)?.rev == episode.rev)
  }

  // Regression: a killed migration left a known episode with an undo entry but without the file.
  @Test func `an episode that lacks the received files is updated with them once`() throws {
    let importer = try exported("https://example.org/1.mp4")
    let id = try take(importer).episode.id
    let sha256 = try #require(Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32)))
    let found = FoundBytes(size: ByteCount(clamping: 5), sha256: sha256, proof: .length)
    let received = EpisodeImporter.Received(id, isNew: false, root: "uuid", ["video": found])
    #expect(try take(importer, received).verdict == .updated)
    #expect(try take(importer, received).verdict == .unchanged)
    try library.store.update(.soon) { transaction in
      guard var episode = try transaction.episode(id) else { return }
      #expect(episode.parts.map(\.state) == [.complete])
      episode.parts[0].enter(.ready)
      episode.parts[0].path = "Show/1.mp4"
      _ = transaction.recorded(episode)
    }
    #expect(throws: EpisodeImporter.Superseded.self) { try take(importer, received) }
  }

  @Test func `received files are not recorded for an episode that gets another id`() throws {
    let importer = try exported("https://example.org/1.mp4")
    let received = EpisodeImporter.Received(try EpisodeID("show/other"), root: "uuid", [:])
    #expect(throws: EpisodeImporter.Superseded.self) { try take(importer, received) }
    #expect(try library.store.snapshot().episode(EpisodeID("show/s01e01")) == nil)
  }

  // Regression: the URL in a bundle could refer to any host.
  @Test func `a source of another library is foreign until the user adds it`() throws {
    func flags() throws -> [Bool]? {
      let id = try EpisodeID("show/s01e01")
      return try library.store.snapshot().episode(id)?.parts[0].variants[0].sources.map(\.isForeign)
    }
    let importer = try exported("https://example.org/1.mp4")
    _ = try take(importer)
    #expect(try flags() == [true])
    _ = try library.take(.at("https://example.org/1.mp4", show: "Show", number: 1))
    #expect(try flags() == [false])
    _ = try take(importer)
    #expect(try flags() == [false])
  }
}
