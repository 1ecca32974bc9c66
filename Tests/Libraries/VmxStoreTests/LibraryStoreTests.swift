import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct LibraryStoreTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test func `a reader of a library that is not there sees nothing and creates nothing`() throws {
    let store = try fixture.open()
    #expect(try store.snapshot().ids() == [])
    #expect(try store.snapshot().episode(try EpisodeID("a/b")) == nil)
    #expect(fixture.folder.names() == [])
  }

  @Test func `the first update makes the home, the header and the line`() throws {
    try fixture.open().update(.durable) { $0.write(try .sample("show/s01e01")) }
    let lines = try fixture.lines()
    #expect(lines.count == 2)
    let start =
      #"{"kind":"header","id":"store","seq":0,"at":"2023-11-14T22:13:20.000Z","library":""#
    #expect(lines[0].hasPrefix(start))
    #expect(lines[0].hasSuffix(#""format":{"major":1,"minor":0},"epoch":1,"seq_floor":0}"#))
    let line = #"{"kind":"episode","id":"show/s01e01","seq":1,"at":"2023-11-14T22:13:20.000Z","#
    #expect(lines[1].hasPrefix(line))
  }

  @Test func `what was put is read back equal, by another store too`() throws {
    var episode = try Episode.sample("show/s01e01", title: "Tab\there \"quoted\" é")
    episode.identity = [.source("https://example.org/1")]
    let store = try fixture.open()
    let rev = try store.update(.durable) { $0.write(episode) }
    let found = try fixture.open().snapshot().episode(episode.id)
    #expect(rev == 1)
    #expect(found?.rev == 1)
    #expect(found?.record == episode.record)
  }

  @Test func `a dry run computes a change, sees its own writes and leaves every file as it was`()
    throws
  {
    let planning = try fixture.open().dryRun
    let seen = try planning.update(.durable) { transaction in
      transaction.write(try .sample("a/1"))
      return try transaction.episode(EpisodeID("a/1"))?.id
    }
    #expect(seen?.description == "a/1")
    #expect(planning.isDryRun && planning.dryRun === planning)
    #expect(try planning.snapshot().ids().isEmpty)
    #expect(fixture.folder.names() == [])
  }

  @Test func `the last line wins and the order is that of adding`() throws {
    let store = try fixture.open()
    for id in ["b/1", "a/1", "c/1"] { try store.update(.soon) { $0.write(try .sample(id)) } }
    try store.update(.soon) { $0.write(try .sample("b/1", title: "New")) }
    let snapshot = try store.snapshot()
    #expect(try snapshot.ids() == ["b/1", "a/1", "c/1"])
    #expect(try snapshot.episode(try EpisodeID("b/1"))?.title == "New")
    #expect(try snapshot.episode(try EpisodeID("b/1"))?.rev == 4)
  }

  @Test func `what is removed and put again goes to the end`() throws {
    let store = try fixture.open()
    for id in ["a/1", "b/1"] { try store.update(.soon) { $0.write(try .sample(id)) } }
    try store.update(.soon) { $0.delete(.episode, "a/1") }
    #expect(try store.snapshot().ids() == ["b/1"])
    #expect(try store.snapshot().episode(try EpisodeID("a/1")) == nil)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    #expect(try store.snapshot().ids() == ["b/1", "a/1"])
  }

  @Test func `a record equal to its last line is not appended and keeps its rev`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let rev = try store.update(.durable) { $0.write(try .sample("a/1")) }
    #expect(rev == 1)
    #expect(try fixture.lines().count == 2)
  }

  @Test func `several lines carry one transaction, the last one commits`() throws {
    let store = try fixture.open()
    try store.update(.soon) { transaction in
      for number in 1...3 { transaction.write(try .sample("a/\(number)")) }
    }
    let lines = try fixture.lines().dropFirst()
    #expect(lines.allSatisfy { $0.contains(#","txn":""#) })
    #expect(lines.map { $0.contains(#","commit":true"#) } == [false, false, true])
    #expect(try store.snapshot().ids() == ["a/1", "a/2", "a/3"])
  }

  @Test func `an update that throws appends nothing`() throws {
    struct Stop: Error {}
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    #expect(throws: Stop.self) {
      try store.update(.durable) { transaction in
        transaction.write(try .sample("a/2"))
        throw Stop()
      }
    }
    #expect(try fixture.lines().count == 2)
  }

  @Test func `an update sees what it has put and removed`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try store.update(.soon) { transaction in
      var new = try Episode.sample("b/1")
      new.identity = [.source("x")]
      transaction.write(new)
      transaction.delete(.episode, "a/1")
      transaction.writeAlias(try EpisodeID("a/1"), new.id)
      #expect(try transaction.episode(try EpisodeID("a/1"))?.id == new.id)
      #expect(transaction.find([.source("x")]) == [new.id])
    }
    #expect(try store.snapshot().resolve(try EpisodeID("a/1"))?.description == "b/1")
    #expect(try store.snapshot().ids() == ["b/1"])
  }

  @Test func `aliases that lead in a circle are an error`() throws {
    let store = try fixture.open()
    let ids = try (EpisodeID("a/1"), EpisodeID("b/1"))
    try store.update(.soon) { transaction in
      transaction.writeAlias(ids.0, ids.1)
      transaction.writeAlias(ids.1, ids.0)
    }
    #expect(throws: StoreError.aliasLoop("a/1")) { try store.snapshot().episode(ids.0) }
  }

  // Regression: a chain of more than 16 aliases was taken for a cycle, so the first id was lost.
  @Test func `an id leads on however often the episode was renamed`() throws {
    let store = try fixture.open()
    try store.update(.soon) { transaction in
      for number in 0..<40 {
        transaction.writeAlias(try EpisodeID("a/\(number)"), try EpisodeID("a/\(number + 1)"))
      }
      transaction.write(try .sample("a/40"))
      #expect(try transaction.resolve(try EpisodeID("a/0"))?.description == "a/40")
    }
    #expect(try store.snapshot().resolve(try EpisodeID("a/0"))?.description == "a/40")
    let found = try store.update(.soon) { try $0.resolve(EpisodeID("a/0")) }
    #expect(found?.description == "a/40")
  }

  @Test func `records of unknown kinds and unknown fields are kept`() throws {
    try fixture.write([
      #"{"kind":"comet","id":"halley","seq":11,"at":"2023-11-14T22:13:20.000Z","tail":[1,2]}"#,
      StoreFixture.line("a/1", seq: 12, #""title":"T","mood":{"x":null},"parts":[]"#),
    ])
    let store = try fixture.open()
    let comet = try store.snapshot().record(RecordKind(rawValue: "comet"), "halley")
    #expect(comet?.fields["tail"] == .array([1, 2]))
    try store.update(.soon) { transaction in
      guard var episode = try transaction.episode(try EpisodeID("a/1")) else { return }
      episode.title = "U"
      transaction.write(episode)
    }
    #expect(try fixture.lines().last?.contains(#""mood":{"x":null}"#) == true)
  }

  @Test func `numbers go on where the store or its floor ends`() throws {
    try fixture.write([])
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/1")) } == 11)
    try fixture.write([StoreFixture.line("a/1", seq: 40)])
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/2")) } == 41)
  }

  @Test func `an episode is found by its evidence, as it is now`() throws {
    let store = try fixture.open()
    var episode = try Episode.sample("a/1")
    episode.identity = [.source("x"), .numbered(show: "s", season: 1, number: 2)]
    try store.update(.soon) { $0.write(episode) }
    #expect(try store.snapshot().find([.source("x")]).map(\.description) == ["a/1"])
    episode.identity = [.source("y")]
    try store.update(.soon) { $0.write(episode) }
    #expect(try store.snapshot().find([.source("x")]) == [])
    #expect(try store.snapshot().find([.source("z"), .source("y")]) == [episode.id])
  }

  @Test func `home is 0700 and its files are 0600`() throws {
    try fixture.open().update(.durable) { $0.write(try .sample("a/1")) }
    #expect(mode(of: "home") == 0o700)
    #expect(mode(of: "home/store.jsonl") == 0o600)
    #expect(mode(of: "home/lock") == 0o600)
  }

  private func mode(of name: String) -> UInt32? {
    var status = stat()
    guard lstat(fixture.folder.path(name).string, &status) == 0 else { return nil }
    return status.st_mode & 0o777
  }
}
