import Testing
import VmxCommand
import VmxModel
import VmxStore
import VmxTestSupport

@testable import vmx_list
@testable import vmx_rename

@Suite struct RenameCommandTests {
  private let library: ToolRun

  init() throws {
    library = try ToolRun()
    try library.put(["a/one": .partial, "a/two": .ready])
  }

  private func rename(_ old: String, _ new: String) -> ToolRun.Result {
    library.run(RenameCommand.self, old, new)
  }

  @Test func `the episode has the new id, and the old one refers to it`() throws {
    let run = rename("a/one", "b/one")
    #expect(run.output == "b/one\n")
    #expect(run.ending == .status(.success))
    let snapshot = try library.store.snapshot()
    #expect(try snapshot.episode(EpisodeID("a/one"))?.id.description == "b/one")
    let list = library.run(ListCommand.self, "--all", "--sort", "id", "--fields", "id")
    #expect(list.output == "a/two\nb/one\n")
  }

  @Test func `a repeated rename changes nothing`() {
    _ = rename("a/one", "b/one")
    let run = rename("a/one", "b/one")
    #expect(run.ending == .status(.success))
    #expect(run.errors == "vmx-rename: 1 unchanged\n")
  }

  @Test func `an episode may get its old id again`() throws {
    _ = rename("a/one", "b/one")
    #expect(rename("b/one", "a/one").output == "a/one\n")
    #expect(try library.store.snapshot().resolve(EpisodeID("b/one"))?.description == "a/one")
  }

  @Test(arguments: [
    ("a/one", "Not An Id", ErrorCode.badID), ("no/such", "b/one", .noSuchEpisode),
  ])
  func `an impossible rename changes nothing`(old: String, new: String, code: ErrorCode) throws {
    let before = try library.scratch.text("home/store.jsonl")
    let run = rename(old, new)
    #expect(run.ending == .status(code.entry.status))
    #expect(run.errors.hasPrefix("vmx-rename: error[\(code.rawValue)]: "))
    #expect(try library.scratch.text("home/store.jsonl") == before)
  }

  @Test(arguments: ["a/one", "b/one"])
  func `an episode in work under either id is not renamed`(held: String) throws {
    let other = try ToolRun(sharing: library)
    let claim = try other.store.claims.claim(try EpisodeID(held))
    defer { claim?.release() }
    #expect(rename("a/one", "b/one").ending == .status(.tryLater))
  }

  @Test func `unfinished parts and the sidecar are renamed too`() throws {
    let old = Hex.text(of: UInt64(try EpisodeID("a/one").claimOffset))
    let new = Hex.text(of: UInt64(try EpisodeID("b/one").claimOffset))
    try library.putRoot("media")
    try library.scratch.makeFolder("media/.vmx/partial")
    try library.scratch.makeFolder("media/.vmx/records")
    try library.scratch.write("media/.vmx/partial/\(old)-video.part", "bytes")
    // The first line names the episode, the lines after it tell how far the part has come.
    let held = "\n{\"held\":[[0,5]]}\n"
    try library.scratch.write(
      "media/.vmx/partial/\(old)-video.part.json", #"{"episode":"a/one"}"# + held)
    try library.scratch.write("media/.vmx/records/a~one.json", #"{"id":"a/one"}"#)
    _ = rename("a/one", "b/one")
    #expect(
      library.scratch.names(in: "media/.vmx/partial").sorted() == [
        "\(new)-video.part", "\(new)-video.part.json",
      ])
    #expect(
      try library.scratch.text("media/.vmx/partial/\(new)-video.part.json")
        == #"{"episode":"b/one"}"# + held)
    #expect(library.scratch.names(in: "media/.vmx/records") == ["b~one.json"])
  }
}
