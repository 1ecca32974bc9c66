import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem
import VmxTestSupport

struct LocalImportTests {
  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private let store: LibraryStore
  private let file: FilePath
  /// The first bytes of an MP4 file, followed by others.
  private let film = [0, 0, 0, 24] + Array("ftypisom".utf8) + [UInt8](repeating: 7, count: 5000)

  init() throws {
    scratch = try ScratchFolder()
    store = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    file = scratch.path.appending("film.mp4")
    try AtomicFile.replace(file, with: film, durable: false)
  }

  private func take(
    _ file: FilePath, sha256: Digest? = nil, duration: Int64? = nil, interrupted: Bool = false
  ) throws -> EpisodeImporter.Imported {
    var description = EpisodeDescription()
    let said = VariantDescription(sources: [], sha256: sha256, duration: duration)
    let variants = sha256 == nil && duration == nil ? [] : [said]
    try description.add(PartDescription(role: .video, variants: variants))
    description.showTitle = "Films"
    description.title = "A Film"
    var tools = LibraryTools(
      store, clock: clock, tool: "add", newFilesBelow: scratch.path.appending("media"),
      shouldStop: { interrupted })
    tools.nfo = NFOSettings(isWanted: true)
    return try LocalImport(tools).importFile(file, as: description)
  }

  private func bytes(of path: FilePath) throws -> [UInt8] {
    let file = try OpenFile(path, .readOnly)
    var bytes = [UInt8](repeating: 0, count: 10_000)
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    return Array(bytes.prefix(count))
  }

  private func codeOfTaking(_ file: FilePath, sha256: Digest? = nil) -> ErrorCode? {
    do {
      _ = try take(file, sha256: sha256)
      return nil
    } catch {
      return Failure(error).code
    }
  }

  private func episodeCount() throws -> Int {
    var count = 0
    try store.snapshot().episodes(matching: EpisodeQuery()) { _ in
      count += 1
      return true
    }
    return count
  }

  @Test func `an imported file is ready, and its source is unchanged`() throws {
    let taken = try take(file)
    #expect(taken.episode.state == .ready)
    let path = try #require(taken.episode.parts[0].path)
    #expect(try bytes(of: scratch.path.appending("media").appending(path)) == film)
    #expect(try bytes(of: file) == film)
  }

  // Regression: the damaged file remained without a record, and the intact one was named ` (2)`.
  @Test(arguments: [PartState.damaged, .failed])
  func `the same bytes repair a damaged file in place`(state: PartState) throws {
    let first = try take(file).episode
    let path = try #require(first.parts[0].path)
    let media = scratch.path.appending("media").appending(path)
    try AtomicFile.replace(media, with: [1, 2, 3], durable: false)
    try store.update(.soon) { transaction in
      guard var episode = try transaction.episode(first.id) else { return }
      episode.parts[0].state = state
      if state == .failed { episode.parts[0].resumeState = .damaged }
      transaction.write(episode)
    }
    let again = try take(file).episode
    #expect(again.state == .ready && again.parts[0].path == path)
    #expect(try bytes(of: media) == film)
  }

  @Test func `the same bytes again are unchanged`() throws {
    let first = try take(file)
    let second = try take(file)
    #expect(second.verdict == .unchanged)
    #expect(second.episode.rev == first.episode.rev)
  }

  @Test func `a later description of the same bytes is used`() throws {
    _ = try take(file, duration: 60_000)
    #expect(try take(file, duration: 90_000).verdict == .updated)
    let part = try #require(try take(file).episode.parts.first)
    #expect(part.variants.map(\.duration) == [90_000])
  }

  @Test func `a file that is not a video leaves nothing behind`() throws {
    let page = scratch.path.appending("page.mp4")
    try AtomicFile.replace(page, with: Array("<html></html>".utf8), durable: false)
    #expect(codeOfTaking(page) == .notMedia)
    #expect(try episodeCount() == 0)
  }

  @Test func `a file that does not match its description is refused`() throws {
    let other = Digest(.sha256, bytes: [UInt8](repeating: 1, count: 32))
    #expect(codeOfTaking(file, sha256: other) == .digestMismatch)
    #expect(try episodeCount() == 0)
  }

  @Test func `an absent file is a missing input`() {
    #expect(codeOfTaking(scratch.path.appending("none.mp4")) == .inputMissing)
  }

  @Test func `an interruption leaves nothing behind`() throws {
    #expect(throws: WorkEnded.interrupted) { try take(file, interrupted: true) }
    #expect(try episodeCount() == 0)
  }

  // Regression: the copy of a killed import remained for ever, because the next import chose
  // another name.
  @Test func `files of a killed import are removed, files in use elsewhere are not`() throws {
    let another = try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
    let claim = try another.claims.claim(try EpisodeID("import/in-work"))
    try scratch.write("media/.vmx/partial/import-left.part", film)
    try scratch.write("media/.vmx/partial/import-in-work.part", film)
    _ = try take(file)
    #expect(scratch.names(in: "media/.vmx/partial") == ["import-in-work.part"])
    claim?.release()
  }
}
