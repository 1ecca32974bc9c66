@testable import VmxLibrary
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@Suite struct RecoverableRecordTests {
  private let scratch: ScratchFolder
  private let digest = String(repeating: "ab", count: 32)

  init() throws {
    scratch = try ScratchFolder()
  }

  private func record(_ part: String, id: String = "t/a") throws -> RecoverableRecord? {
    let text = """
      {"schema":1,"id":"\(id)","record":{"title":"A","show_title":"T","want":"gone",\
      "workers":9,"added":"2026-01-01T00:00:00.000Z","parts":[\(part)]}}
      """
    return try record(in: text)
  }

  private func record(in text: String) throws -> RecoverableRecord? {
    try scratch.write(".vmx/records/t~a.json", text)
    let root = MediaRoot(uuid: "r", folder: scratch.path)
    return try RecoverableRecord(of: EpisodeID("t/a"), in: root)
  }

  @Test func `states, paths, secrets and file URLs are not imported`() throws {
    let record = try #require(
      try record(
        """
        {"state":"ready","root":"x","path":"up.mp4","size":5,"sha256":"\(digest)",\
        "variants":[{"sources":[{"url":"https://example.org/a","secret":"s"},\
        {"url":"file:///etc/passwd"}]}]}
        """))
    let part = record.episode.parts[0]
    #expect(part.state == .new)
    #expect(part.path == nil && part.root == nil && part.sha256 == nil)
    #expect(part.variants.flatMap(\.sources) == [Source(url: "https://example.org/a")])
    #expect(record.episode.want == .none)
    #expect(record.episode.extra == JSONObject())
  }

  @Test func `without its video nothing is imported`() throws {
    let record = try #require(
      try record("{\"size\":5,\"sha256\":\"\(digest)\",\"variants\":[]}"))
    #expect(record.episode(holding: [:], root: "r", now: Timestamp(seconds: 0)) == nil)
  }

  @Test func `a file with its digest makes the part ready`() throws {
    let record = try #require(
      try record("{\"size\":5,\"sha256\":\"\(digest)\",\"variants\":[]}"))
    let episode = record.episode(
      holding: ["video": PathBytes("b.mp4")], root: "r", now: Timestamp(seconds: 9))
    #expect(episode?.state == .ready)
    #expect(episode?.parts[0].path == "b.mp4")
    #expect(episode?.parts[0].verifiedAt == Timestamp(seconds: 9))
  }

  @Test(arguments: [(1, true), (3, false)])
  func `a removed episode returns only if its video was ready later`(
    removed: Int64, returns: Bool
  ) throws {
    let record = try #require(
      try record(
        in: """
          {"id":"t/a","rev":23,"record":{"title":"A","show_title":"T","want":"fetch",\
          "added":"1970-01-01T00:00:00.000Z","parts":[{"role":"video","state":"ready",\
          "root":"r","path":"a.mp4","size":5,"sha256":"\(digest)","variants":[]}],\
          "trail":[{"at":"1970-01-01T00:00:02.000Z","part":"video","from":"checked",\
          "to":"ready"}]}}
          """))
    var known = record.episode
    known.rev = 99
    known.title = "Mine"
    known.want = .gone
    known.parts[0].state = .removed
    known.removal = EpisodeRemoval(at: Timestamp(seconds: removed), tool: "rm", reason: .byHand)
    let now = Timestamp(seconds: 9)
    #expect(record.isNewer(thanRemovalOf: known, now: now) == returns)
    #expect(!record.isNewer(thanRemovalOf: known, now: Timestamp(seconds: -9000)))
    let episode = try #require(
      record.episode(holding: ["video": PathBytes("a.mp4")], of: known, root: "r", now: now))
    #expect(episode.want == .fetch && episode.removal == nil && episode.title == "Mine")
    #expect(episode.state == .ready && episode.parts.count == 1)
  }

  @Test func `a sidecar whose episode differs from its name is ignored`() throws {
    #expect(try record("", id: "t/b") == nil)
  }

  @Test func `a sidecar whose file is outside the root is ignored`() throws {
    #expect(try record("{\"path\":\"../up.mp4\",\"variants\":[]}") == nil)
  }

  @Test func `invalid JSON is ignored`() throws {
    #expect(try record(in: "{\"id\":") == nil)
  }
}
