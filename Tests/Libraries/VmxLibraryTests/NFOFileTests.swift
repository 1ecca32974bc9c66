import SystemPackage
import Testing
@testable import VmxLibrary
import VmxLibraryTestSupport
import VmxModel
import VmxSystem
import VmxTestSupport

struct NFOFileTests {
  private let scratch: ScratchFolder
  private let file: NFOFile

  init() throws {
    scratch = try ScratchFolder()
    file = NFOFile(root: scratch.path)
    try scratch.write("Show/Show - A.mp4", [1])
  }

  private func write(_ text: String, _ before: NFOFile.Written?) throws -> NFOFile.Written? {
    let sources = NFOSources(
      taken: nil, before: { nil }, isOfEpisode: { _ in true }, lastPlayed: nil,
      includesWatched: true)
    let (written, draft) = try file.draft(
      Array(text.utf8), beside: "Show/Show - A.mp4", before, from: sources)
    try FilePublisher().publish([draft].compactMap { $0 })
    return written
  }

  private func there() throws -> String { try scratch.text("Show/Show - A.nfo") }

  // Regression: writing a sidecar while a root was unmounted created the root's folders at its
  // mount point.
  @Test func `no root is recreated for a file below it`() throws {
    let target = scratch.path("root/.vmx/records/a~b.json")
    #expect(throws: FileError.self) { try TemporaryFile(of: target, [1]) }
    #expect(try FileFacts.of(scratch.path("root")) == nil)
  }

  @Test func `an NFO file that vmx wrote is replaced`() throws {
    let first = try #require(try write("one", nil))
    #expect(first.path == "Show/Show - A.nfo")
    let second = try #require(try write("two", first))
    #expect(try there() == "two")
    #expect(first != second)
    #expect(try write("two", second) == second)
  }

  @Test func `a file of another program is kept`() throws {
    try scratch.write("Show/Show - A.nfo", Array("theirs".utf8))
    #expect(try write("ours", nil) == nil)
    #expect(try there() == "theirs")
  }

  @Test func `a file that has changed since is kept`() throws {
    let first = try #require(try write("one", nil))
    try scratch.write("Show/Show - A.nfo", Array("corrected".utf8))
    #expect(try write("two", first) == nil)
    #expect(try there() == "corrected")
  }

  // Regression: a power cut left such a file under its final name, and it was never replaced.
  @Test(arguments: [0, 100]) func `a file of zeros is the result of a power cut`(count: Int) throws
  {
    try scratch.write("Show/Show - A.nfo", [UInt8](repeating: 0, count: count))
    #expect(try write("one", nil) != nil)
    #expect(try there() == "one")
  }

  @Test func `a removed file is written again`() throws {
    let first = try #require(try write("one", nil))
    try removeFile(scratch.path("Show/Show - A.nfo"))
    #expect(try write("one", first) == first)
    #expect(try there() == "one")
  }

  @Test func `after a crash before the sidecar the same bytes are recognised as ours`() throws {
    let first = try write("one", nil)
    #expect(try write("one", nil) == first)
    #expect(first != nil)
  }

  @Test func `a temporary file is never left behind`() throws {
    _ = try write("one", nil)
    try scratch.write("Show/Show - A.nfo", Array("theirs".utf8))
    _ = try write("two", nil)
    #expect(scratch.names(in: "Show").sorted() == ["Show - A.mp4", "Show - A.nfo"])
  }

  @Test func `an episode with its own NFO file gets none`() throws {
    var episode = try Episode.sample()
    #expect(!episode.includesNFO)
    episode.parts.append(
      Part(role: .metadata, variants: [Variant(sources: [Source(url: "http://a/x.NFO?y=1")])]))
    #expect(episode.includesNFO)
  }
}
