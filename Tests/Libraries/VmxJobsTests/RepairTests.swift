import SystemPackage
import Testing
import VmxJobs
import VmxModel
import VmxSystem
import VmxTestSupport

/// Keeps nothing; gives the episode back as it was worked on.
private struct NoJournal: PartJournal {
  func record(_ steps: [Transition], of context: PartContext) throws -> Episode { context.episode }
}

struct RepairMachineTests {
  private static let damaged = DamagedFile(
    sha256: FakeBytes.found.sha256, size: FakeBytes.found.size, inode: 7, held: 3, modified: 9)

  private func run(_ bytes: FakeBytes, from state: PartState) throws -> Part {
    var episode = try Episode.sample(state)
    episode.parts[0].path = "Show/by hand.mp4"
    episode.parts[0].proof = .published
    var context = PartContext(episode, part: 0, bytes: bytes)
    try Runner(machines, journal: NoJournal(), clock: FixedClock()).run(&context)
    return context.part
  }

  @Test func `a missing file is fetched, and named as a new one`() throws {
    let part = try run(FakeBytes(), from: .missing)
    #expect(part.state == .ready)
    #expect(part.path == "Show/Show - Title.mp4")
  }

  @Test func `a damaged file is replaced under its own name`() throws {
    let part = try run(FakeBytes(damaged: Self.damaged), from: .damaged)
    #expect(part.state == .ready)
    #expect(part.path == "Show/by hand.mp4")
    #expect(part.repairs == nil)
  }

  @Test func `a repair proves no more than was known of the file`() throws {
    #expect(try run(FakeBytes(damaged: Self.damaged), from: .damaged).proof == .published)
  }

  @Test func `a damaged file that is gone is fetched like a missing one`() throws {
    #expect(try run(FakeBytes(), from: .damaged).path == "Show/Show - Title.mp4")
  }

  @Test func `what is to be replaced is known until it is`() throws {
    let bytes = FakeBytes(failureOfTransfer: .repairRefused, damaged: Self.damaged)
    let part = try run(bytes, from: .damaged)
    #expect(part.state == .failed)
    #expect(part.repairs == Self.damaged)
    #expect(part.path == "Show/by hand.mp4")
  }

  @Test func `a repair that cannot begin is begun anew when it is lifted`() throws {
    var part = try run(FakeBytes(failureOfRepair: .repairRefused), from: .damaged)
    #expect(part.resumeState == .damaged)
    #expect(part.isToBeRepaired)
    var episode = try Episode.sample(.failed)
    episode.parts[0] = part
    episode.want = .fetch
    var context = PartContext(episode, part: 0, bytes: FakeBytes(damaged: Self.damaged))
    context.part.state = .damaged
    try Runner(machines, journal: NoJournal(), clock: FixedClock()).run(&context)
    part = context.part
    #expect(part.state == .ready)
  }

  @Test func `the record keeps which file is to be replaced`() throws {
    var episode = try Episode.sample(.partial)
    episode.parts[0].repairs = Self.damaged
    let again = try Episode(record: episode.record, id: episode.id, rev: 1)
    #expect(again.parts[0].repairs == Self.damaged)
  }
}

struct RepairFilesTests {
  private let library: Library
  private let root: MediaRoot
  private var episode: Episode
  private let digest: Digest
  private let name = "Show/Show - film.mp4"
  private let sound = [UInt8](repeating: 7, count: 500)
  private let hurt = [UInt8](repeating: 8, count: 500)

  init() throws {
    library = try Library()
    root = try library.mediaRoots.forNewFiles()
    episode = try library.take(.at("https://example.org/film.mp4", show: "Show")).episode
    digest = try #require(Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)))
    episode.parts[0].root = root.uuid
    episode.parts[0].path = name
    episode.parts[0].sha256 = digest
    episode.parts[0].size = ByteCount(clamping: 500)
  }

  private var final: FilePath { root.folder.pushing(FilePath(name)) }

  private var files: PartFiles {
    PartFiles(root: root.folder, episode: episode.id, part: episode.parts[0])
  }

  private func put(_ bytes: [UInt8], at path: FilePath) throws {
    try makeFolders(path.removingLastComponent())
    try AtomicFile.replace(path, with: bytes, durable: false)
  }

  private func bytes(of path: FilePath) throws -> [UInt8] {
    let file = try OpenFile(path, .readOnly)
    var bytes = [UInt8](repeating: 0, count: Int(try file.facts().size))
    _ = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return bytes
  }

  /// Takes the one for the digest of a sound file that begins with a 7.
  private var finishing: FinishingBytes {
    let (sound, other) = (digest, Digest(.sha256, bytes: [UInt8](repeating: 8, count: 32)))
    return FinishingBytes(
      mediaRoots: library.mediaRoots, publisher: FilePublisher(), clock: library.clock,
      digest: { path in
        let file = try OpenFile(path, .readOnly)
        var first = [UInt8](repeating: 0, count: 1)
        _ = try first.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return first == [7] ? sound : try #require(other)
      })
  }

  private var context: PartContext { PartContext(episode, part: 0, bytes: FakeBytes()) }

  @Test mutating func `the damaged file is replaced, and that is a proof`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try put(sound, at: files.partial)
    let placed = try finishing.place(context)
    #expect(placed == PlacedFile(path: name, proven: library.clock.now))
    #expect(try bytes(of: final) == sound)
    #expect(try FileFacts.of(files.partial) == nil)
  }

  @Test mutating func `a file that was put in its place since is not touched`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try put([9] + hurt, at: final)
    try put(sound, at: files.partial)
    #expect(code { _ = try finishing.place(context) } == .nameTaken)
    #expect(try bytes(of: final) == [9] + hurt)
    #expect(try bytes(of: files.partial) == sound)
  }

  @Test mutating func `a sound file that the user put there completes the repair`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try put(sound + [1], at: final)
    try put(sound, at: files.partial)
    #expect(code { _ = try finishing.place(context) } == nil)
  }

  @Test mutating func `a crash behind the rename is mended by asking again`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try put(sound, at: final)
    #expect(try finishing.place(context)?.path == name)
  }

  @Test mutating func `without a sound file the damaged one stays`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    #expect(code { _ = try finishing.place(context) } == .partLost)
    #expect(try bytes(of: final) == hurt)
  }

  @Test mutating func `a repaired file gets its name also where the damaged one is gone`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try removeFile(final)
    try put(sound, at: files.partial)
    #expect(try finishing.place(context)?.path == name)
    #expect(try bytes(of: final) == sound)
  }

  @Test mutating func `without a digest nothing is repaired`() throws {
    try put(hurt, at: final)
    episode.parts[0].sha256 = nil
    #expect(code { _ = try finishing.damage(of: context) } == .repairRefused)
  }

  @Test func `a folder or a link in its place is no damaged file`() throws {
    try makeFolders(final)
    #expect(code { _ = try finishing.damage(of: context) } == .repairRefused)
  }

  @Test mutating func `bytes that are not the recorded ones are refused`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: context)
    try put(hurt, at: files.partial)
    #expect(code { _ = try finishing.check(context) } == .digestMismatch)
    #expect(try bytes(of: final) == hurt)
  }
}
