@testable import VmxVerifying
import Glibc
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxStore
import VmxTestSupport

struct FileStatusTests {
  let library: VerifyingLibrary

  init() throws {
    library = try VerifyingLibrary()
    try library.add("t/a", Array("one film".utf8))
  }

  private func move(_ name: String, to other: String) throws {
    try #require(
      rename(library.scratch.path(name).string, library.scratch.path(other).string) == 0)
  }

  private var verifier: FileVerifier {
    FileVerifier(tools: library.tools, settings: VerificationSettings())
  }

  private func item() throws -> VerificationItem {
    let summary = try library.store.snapshot().summary(of: EpisodeID("t/a"))
    return try #require(summary.flatMap { VerificationItem.all(of: $0).first })
  }

  @Test func `an unmounted root reports no file as missing`() throws {
    try move("media", to: "away")
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.unreachable])
    #expect(results[0].failure?.code == .rootAway)
    #expect(try library.video("t/a")?.state == .ready)
  }

  @Test func `an empty folder in its place reports no file as missing`() throws {
    try move("media", to: "away")
    try library.scratch.makeFolder("media")
    #expect(try library.verify().map(\.verdict) == [.unreachable])
  }

  @Test func `the root of another library reports no file as missing`() throws {
    try move("media", to: "away")
    try library.scratch.write("media/.vmx/root.json", #"{"root":"2222","library":"3333"}"#)
    let results = try library.verify()
    #expect(results.map(\.verdict) == [.unreachable])
    #expect(results[0].failure?.code == .rootForeign)
  }

  @Test func `a root unmounted between two checks reports no file as missing`() throws {
    // The case of a worker: the mark was found, the file was not, and the mark is missing by now.
    let item = try item()
    try move("media", to: "away")
    #expect(verifier.inspectAgain(item, in: library.root).verdict == .unreachable)
  }

  @Test func `a root that was unmounted briefly is checked as one`() throws {
    // The root was mounted elsewhere meanwhile: the open folder is the one with the mark.
    let root = try VerifiedRoot(library.root)
    try move("media", to: "away")
    try library.scratch.makeFolder("media")
    guard case .file = verifier.status(of: try item().recordedFile, below: root) else {
      Issue.record("the file below the open folder was not found")
      return
    }
  }

  @Test func `a record that changed meanwhile has no result`() throws {
    let item = try item()
    var episode = try #require(try library.store.snapshot().episode(item.id))
    episode.parts[0].state = .removing
    try library.store.update(.soon) { [episode] in $0.write(episode) }
    try #require(unlink(library.scratch.path("media/t/a.mp4").string) == 0)
    #expect(verifier.inspectAgain(item, in: library.root).verdict == nil)
  }

  @Test func `a symbolic link in place of a file is not a file`() throws {
    try move("media/t/a.mp4", to: "elsewhere.mp4")
    try #require(symlink("../../elsewhere.mp4", library.scratch.path("media/t/a.mp4").string) == 0)
    #expect(try library.verify().map(\.verdict) == [.missing])
  }

  @Test func `a root reached by a symbolic link is verified like any other`() throws {
    try move("media", to: "disk")
    try #require(symlink("disk", library.scratch.path("media").string) == 0)
    #expect(try library.verify().map(\.verdict) == [.intact])
  }
}
