import SystemPackage
import Testing
import VmxEngine
@testable import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

/// The name of a checked file whose intended name is in use, and after crashes.
struct PublishedNameTests {
  private let library: ScratchLibrary
  private let root: MediaRoot
  private let finishing: PartFinisher
  private let digest: Digest
  private let film = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 500)
  private let plain = "Show/Show - film.mp4"
  private let second = "Show/Show - film (2).mp4"

  init() throws {
    library = try ScratchLibrary()
    root = try library.mediaRoots.forNewFiles()
    let sound = try #require(Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)))
    let other = try #require(Digest(.sha256, bytes: [UInt8](repeating: 8, count: 32)))
    let film = film
    digest = sound
    finishing = PartFinisher(
      library.tools(of: "fetch") { path in
        try RegularFile.prefix(of: path, upTo: 1000).starts(with: film) ? sound : other
      })
  }

  /// Returns an episode with the same title, with a part in the state `complete`.
  private func episode(_ name: String) throws -> Episode {
    var episode = try library.take(
      .at("https://example.org/\(name)/film.mp4", show: "Show")
    ).episode
    episode.title = "film"
    episode.parts[0].state = .complete
    return episode
  }

  private func partial(of episode: Episode) -> FilePath {
    PartFiles(root: root.folder, episode: episode.id, part: episode.parts[0]).partial
  }

  private func hold(_ episode: Episode) throws { try put(film, at: partial(of: episode)) }

  private func put(_ bytes: [UInt8], at path: FilePath) throws {
    try makeFolders(path.removingLastComponent())
    try AtomicFile.replace(path, with: bytes, durable: false)
  }

  private func exists(_ path: FilePath) throws -> Bool { try FileFacts.of(path) != nil }

  private func record(_ episode: Episode) throws {
    try library.store.update(.soon) { transaction in _ = transaction.recorded(episode) }
  }

  /// Returns the episode in the state `checked` with a path, and stores it.
  private func checked(_ episode: Episode, at path: String) throws -> Episode {
    var episode = episode
    episode.parts[0].state = .checked
    episode.parts[0].root = root.uuid
    episode.parts[0].path = path
    episode.parts[0].sha256 = digest
    episode.parts[0].size = ByteCount(clamping: Int64(film.count))
    try record(episode)
    return episode
  }

  /// Runs the finishing machine to its end, with each step in the store.
  private func finish(_ episode: Episode, holding: CompletedBytes = .all) throws -> Part {
    try record(episode)
    let actions = PartActions(source: FakeBytes(holding: holding), finisher: finishing)
    var context = FetchContext(episode, part: 0, actions)
    try Runner(
      fetchMachines, journal: StoreJournal(library.store, of: .importing), clock: library.clock
    ).run(&context)
    return context.part
  }

  @Test func `a file of another program keeps its name`() throws {
    let one = try episode("a")
    try hold(one)
    try put(film + [1], at: root.folder.appending(plain))
    #expect(try finish(one).path == second)
  }

  // Regression: a power cut destroyed the record but not the file. No record knew the file, and a
  // second one got the name ` (2)`.
  @Test func `an unrecorded file with the same bytes is adopted`() throws {
    let one = try episode("a")
    try hold(one)
    try put(film, at: root.folder.appending(plain))
    #expect(try finish(one).path == plain)
    #expect(try !exists(partial(of: one)))
  }

  @Test func `two episodes with the same bytes and the same title have two files`() throws {
    let (one, two) = (try episode("a"), try episode("b"))
    try hold(one)
    try hold(two)
    #expect(try finish(one).path == plain)
    #expect(try finish(two).path == second)
    #expect(try exists(root.folder.appending(plain)))
  }

  @Test func `a name taken since the check is recorded again before the rename`() throws {
    let one = try checked(try episode("a"), at: plain)
    try hold(one)
    try put([1], at: root.folder.appending(plain))
    let part = try finish(one)
    #expect(part.path == second)
    let trail = try #require(try library.store.snapshot().episode(one.id)).trail.map(\.to)
    #expect(trail.suffix(3) == [.complete, .checked, .ready])
  }

  // Regression: no record knew the file with the name ` (2)`, and the fetch failed with part-lost.
  @Test func `a file renamed to an unrecorded name before a crash is found`() throws {
    _ = try finish(try held(try episode("a")))
    let two = try checked(try episode("b"), at: plain)
    try put(film, at: root.folder.appending(second))
    #expect(try finish(two).path == second)
  }

  @Test func `a name that another part has only reserved is available after a crash`() throws {
    let one = try checked(try episode("a"), at: plain)
    try put(film, at: root.folder.appending(plain))
    let two = try checked(try held(try episode("b")), at: plain)
    #expect(try finish(one).path == plain)
    #expect(try finish(two).path == second)
  }

  @Test func `missing bytes are lost, and another file of that name is not adopted`() throws {
    _ = try finish(try held(try episode("a")))
    let part = try finish(try checked(try episode("b"), at: plain), holding: .some(0))
    #expect(part.code == .partLost)
  }

  // Regression: a record without a path, as a user may write it, caused internal-error.
  @Test func `a checked part without a name gets one`() throws {
    var one = try checked(try held(try episode("a")), at: plain)
    one.parts[0].path = nil
    #expect(try finish(one).path == plain)
  }

  @Test func `a repair without a name is an ordinary fetch`() throws {
    var one = try checked(try held(try episode("a")), at: plain)
    one.parts[0].path = nil
    one.parts[0].repairs = DamagedFile(
      sha256: digest, size: ByteCount(clamping: 1), inode: 1, damagedSize: 1, modified: 1)
    #expect(try finish(one).path == plain)
  }

  @Test func `a part gets the next name if more than a thousand are taken`() throws {
    let one = try held(try episode("a"))
    try put([1], at: root.folder.appending(plain))
    for copy in 2...1003 {
      try put([1], at: root.folder.appending("Show/Show - film (\(copy)).mp4"))
    }
    #expect(try finish(one).path == "Show/Show - film (1004).mp4")
  }

  private func held(_ episode: Episode) throws -> Episode {
    try hold(episode)
    return episode
  }
}
