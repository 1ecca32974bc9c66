import SystemPackage
import Testing
import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

struct PartFinisherTests {
  private let library: ScratchLibrary
  private let root: MediaRoot
  private var episode: Episode
  private let film = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 500)
  private let digest: Digest

  init() throws {
    library = try ScratchLibrary()
    root = try library.mediaRoots.forNewFiles()
    episode = try library.take(.at("https://example.org/film.mp4", show: "Show")).episode
    digest = try #require(Digest(.sha256, bytes: [UInt8](repeating: 7, count: 32)))
  }

  private var files: PartFiles {
    PartFiles(root: root.folder, episode: episode.id, part: episode.parts[0])
  }

  private func hold(_ bytes: [UInt8]) throws {
    try makeFolders(files.partial.folder)
    try AtomicFile.replace(files.partial, with: bytes, durable: false)
  }

  private func finishing(reading: (@Sendable () throws -> Digest)? = nil) -> PartFinisher {
    let digest = digest
    return PartFinisher(
      library.tools(of: "fetch") { _ in try reading?() ?? digest })
  }

  private func check(_ finishing: PartFinisher) throws -> CheckedBytes {
    try finishing.check(EpisodePart(episode, at: 0), nil)
  }

  private var isHeld: Bool {
    do {
      _ = try OpenFile(files.partial, .readOnly)
      return true
    } catch {
      return false
    }
  }

  @Test func `a video is checked and gets its name from the episode`() throws {
    try hold(film)
    let checked = try check(finishing())
    #expect(checked.path == "Show/Show - film.mp4")
    #expect(checked.found.sha256 == digest)
    #expect(checked.found.size.bytes == Int64(film.count))
  }

  @Test func `a file that has replaced the checked one is not published`() throws {
    try hold(film)
    let checked = try check(finishing())
    var placed = episode
    placed.parts[0].path = checked.path
    placed.parts[0].sha256 = checked.found.sha256
    let other = files.partial.folder.appending("other")
    try AtomicFile.replace(other, with: film.reversed(), durable: false)
    try renameReplacing(from: other, to: files.partial)
    let otherDigest = Digest(.sha256, bytes: [UInt8](repeating: 8, count: 32))
    let work = EpisodePart(placed, at: 0)
    #expect(
      code {
        _ = try finishing { try #require(otherDigest) }.publish(work, checked: checked.found.file)
      } == .partLost)
    #expect(isHeld)
    // Some file systems give a file another inode each time: its bytes decide.
    let published = try finishing().publish(work, checked: checked.found.file)
    #expect(published?.path == checked.path && !isHeld)
  }

  @Test mutating func `a matching published digest is the best proof`() throws {
    episode.parts[0].variants[0].sha256 = digest
    try hold(film)
    #expect(try check(finishing()).found.proof == .published)
  }

  @Test mutating func `bytes with another digest are kept aside`() throws {
    episode.parts[0].variants[0].sha256 = Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32))
    try hold(film)
    #expect(code { _ = try check(finishing()) } == .digestMismatch)
    #expect(!isHeld)
  }

  @Test mutating func `a length mismatch is reported as such`() throws {
    episode.parts[0].variants[0].size = ByteCount(1)
    try hold(film)
    #expect(code { _ = try check(finishing()) } == .sizeMismatch)
  }

  @Test func `an empty file is not a video`() throws {
    try hold([])
    #expect(code { _ = try check(finishing()) } == .emptyBody)
  }

  @Test(
    arguments: [
      (.video, .notMedia), (.subtitle, .notSubtitle), (.image, .notImage), (.key, .notKey),
      (.metadata, .notMedia),
    ] as [(PartRole, ErrorCode)])
  mutating func `a web page is not part of an episode`(role: PartRole, expected: ErrorCode) throws {
    episode.parts[0].role = role
    try hold(Array("<!DOCTYPE html><html><body>log in</body></html>".utf8))
    #expect(code { _ = try check(finishing()) } == expected)
  }

  @Test func `an interruption during the reading keeps the bytes`() throws {
    try hold(film)
    let finishing = finishing { throw WorkEnded.interrupted }
    #expect(throws: WorkEnded.interrupted) { try check(finishing) }
    #expect(isHeld)
  }

  @Test func `missing bytes are reported as lost, not as empty`() throws {
    #expect(code { _ = try check(finishing()) } == .partLost)
  }
}
