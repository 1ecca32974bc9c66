import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

struct RepairFilesTests {
  private let library: ScratchLibrary
  private let root: MediaRoot
  private var episode: Episode
  private let digest: Digest
  private let name = "Show/Show - film.mp4"
  private let sound = [UInt8](repeating: 7, count: 500)
  private let hurt = [UInt8](repeating: 8, count: 500)

  init() throws {
    library = try ScratchLibrary()
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

  /// The finisher; its digest function treats a file that begins with a 7 as intact.
  private var finishing: PartFinisher {
    let (sound, other) = (digest, Digest(.sha256, bytes: [UInt8](repeating: 8, count: 32)))
    return PartFinisher(
      library.tools(of: "fetch") { path in
        let file = try OpenFile(path, .readOnly)
        var first = [UInt8](repeating: 0, count: 1)
        _ = try first.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        return first == [7] ? sound : try #require(other)
      })
  }

  private var work: EpisodePart { EpisodePart(episode, at: 0) }

  @Test mutating func `the damaged file is replaced, which counts as a proof`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try put(sound, at: files.partial)
    let placed = try finishing.publish(work)
    #expect(placed == PlacedFile(path: name, verifiedAt: library.clock.now))
    #expect(try bytes(of: final) == sound)
    #expect(try FileFacts.of(files.partial) == nil)
  }

  @Test mutating func `a file put in its place meanwhile is not changed`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try put([9] + hurt, at: final)
    try put(sound, at: files.partial)
    #expect(code { _ = try finishing.publish(work) } == .nameTaken)
    #expect(try bytes(of: final) == [9] + hurt)
    #expect(try bytes(of: files.partial) == sound)
  }

  @Test mutating func `an intact file that the user put there completes the repair`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try put(sound + [1], at: final)
    try put(sound, at: files.partial)
    #expect(code { _ = try finishing.publish(work) } == nil)
  }

  @Test mutating func `a crash after the rename is repaired by a repetition`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try put(sound, at: final)
    #expect(try finishing.publish(work)?.path == name)
  }

  @Test mutating func `without an intact file the damaged one stays`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    #expect(code { _ = try finishing.publish(work) } == .partLost)
    #expect(try bytes(of: final) == hurt)
  }

  @Test mutating func `a repaired file gets its name even if the damaged one is missing`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try removeFile(final)
    try put(sound, at: files.partial)
    #expect(try finishing.publish(work)?.path == name)
    #expect(try bytes(of: final) == sound)
  }

  @Test mutating func `without a digest nothing is repaired`() throws {
    try put(hurt, at: final)
    episode.parts[0].sha256 = nil
    #expect(code { _ = try finishing.damage(of: work) } == .repairRefused)
  }

  @Test func `a folder or symbolic link in its place is not a damaged file`() throws {
    try makeFolders(final)
    #expect(code { _ = try finishing.damage(of: work) } == .repairRefused)
  }

  @Test mutating func `other bytes than the recorded ones are refused`() throws {
    try put(hurt, at: final)
    episode.parts[0].repairs = try finishing.damage(of: work)
    try put(hurt, at: files.partial)
    #expect(code { _ = try finishing.check(work, nil) } == .digestMismatch)
    #expect(try bytes(of: final) == hurt)
  }
}
