@testable import VmxLibrary
import SystemPackage
import Testing
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

/// Subtitles that are stored in another form than received, with a crash at each step.
struct OriginalsTests {
  private let library: ScratchLibrary
  private let root: MediaRoot
  private var episode: Episode
  private let latin = Array("1\r\n00:00:01,000 --> 00:00:02,000\r\nCaf".utf8) + [0xE9, 0x0D, 0x0A]
  private let plain = Array("1\n00:00:01,000 --> 00:00:02,000\nCafé\n".utf8)

  init() throws {
    library = try ScratchLibrary()
    root = try library.mediaRoots.forNewFiles()
    episode = try library.take(.at("https://example.org/film.mp4", show: "Show")).episode
    var part = Part(
      role: .subtitle, language: "en",
      variants: [Variant(sources: [Source(url: "https://example.org/film.srt")])])
    part.state = .complete
    part.variants[0].sha256 = try Self.digest(of: latin)
    episode.parts = [part]
    try makeFolders(files.partial.folder)
    try AtomicFile.replace(files.partial, with: latin, durable: false)
  }

  private var files: PartFiles {
    PartFiles(root: root.folder, episode: episode.id, part: episode.parts[0])
  }
  private var original: FilePath {
    root.originals.appending(episode.parts[0].original?.sha256.hex ?? "none")
  }
  private var work: EpisodePart { EpisodePart(episode, at: 0) }

  /// Not SHA-256, whose implementation is injected into the library under test: any function of the
  /// bytes suffices.
  private static func digest(of bytes: [UInt8]) throws -> Digest {
    var hash = StableHash()
    hash.combine(bytes)
    let word = withUnsafeBytes(of: hash.value) { Array($0) }
    return try #require(Digest(.sha256, bytes: word + word + word + word))
  }

  private static func bytes(of path: FilePath) throws -> [UInt8]? {
    try RegularFile.prefixIfPresent(of: path, upTo: 1 << 20)
  }

  private var finishing: PartFinisher {
    PartFinisher(
      library.tools(of: "fetch") { try Self.digest(of: try Self.bytes(of: $0) ?? []) })
  }

  /// Performs the check, and records its result as the state machine does.
  private mutating func check() throws {
    let checked = try finishing.check(work, nil)
    episode.parts[0].original = checked.original
    episode.parts[0].size = checked.found.size
    episode.parts[0].sha256 = checked.found.sha256
    episode.parts[0].proof = checked.found.proof
    episode.parts[0].path = checked.path
  }

  private func isPlaced() throws -> Bool {
    let placed = try #require(try finishing.publish(work)).path
    return try Self.bytes(of: root.folder.appending(placed)) == plain
      && Self.bytes(of: original) == latin && Self.bytes(of: files.partial) == nil
      && Self.bytes(of: files.convertedFile) == nil
  }

  @Test mutating func `both files are kept, and both can be verified`() throws {
    try check()
    let part = episode.parts[0]
    #expect(part.sha256 == (try Self.digest(of: plain)))
    #expect(part.original?.sha256 == (try Self.digest(of: latin)))
    #expect(part.original?.encoding == "windows-1252")
    #expect(part.proof == .published)
    #expect(part.path == "Show/Show - film.en.srt")
    #expect(try isPlaced())
  }

  @Test mutating func `a repeated check has the same result`() throws {
    try check()
    let once = episode.parts[0]
    try check()
    #expect(episode.parts[0] == once)
    #expect(try finishing.isComplete(work, at: PartLocation(of: work, on: library.mediaRoots)))
    #expect(try isPlaced())
  }

  @Test mutating func `publishing continues after the first exchange`() throws {
    try check()
    try makeFolders(original.folder)
    try renameReplacing(from: files.partial, to: original)
    #expect(try isPlaced())
  }

  @Test mutating func `publishing continues after the second exchange, so does a check`() throws {
    try check()
    try finishing.exchange(episode.parts[0], at: PartLocation(of: work, on: library.mediaRoots))
    #expect(try Self.bytes(of: files.partial) == plain)
    let once = episode.parts[0]
    #expect(try finishing.isComplete(work, at: PartLocation(of: work, on: library.mediaRoots)))
    try check()
    #expect(episode.parts[0] == once)
    #expect(try isPlaced())
  }

  @Test mutating func `publishing can be repeated after the last rename`() throws {
    try check()
    #expect(try isPlaced())
    #expect(try isPlaced())
  }

  @Test mutating func `the original never gets the final name`() throws {
    try check()
    try removeFile(files.convertedFile)
    #expect(throws: Failure.self) { try finishing.publish(work) }
    #expect(try Self.bytes(of: files.partial) == latin)
  }

  @Test mutating func `other bytes are not accepted as the converted original`() throws {
    try check()
    #expect(try isPlaced())
    // After a second fetch, the source returns the converted text itself, which has no published
    // digest.
    episode.parts[0].original = nil
    try AtomicFile.replace(files.partial, with: plain, durable: false)
    #expect(throws: Failure.self) { try finishing.check(work, nil) }
  }
}
