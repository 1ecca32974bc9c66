import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct DamageTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func title(_ id: String) throws -> String? {
    try fixture.open().snapshot().episode(try EpisodeID(id))?.title
  }

  @Test func `a torn last line was never there, and the next writer cuts it`() throws {
    try fixture.write(
      [StoreFixture.line("a/1", seq: 11, #""title":"old""#)],
      torn: String(StoreFixture.line("a/1", seq: 12, #""title":"new""#).dropLast(3)))
    #expect(try title("a/1") == "old")
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/2")) } == 12)
    let lines = try fixture.lines()
    #expect(lines.count == 3)
    #expect(lines[2].contains(#""id":"a/2""#))
  }

  @Test(arguments: [
    #"{"kind":"episode","id":"a/1","seq":12,"at":"2023-11-14T22:13:20.000Z","title":"new""#,
    #"{"kind":"episode","id":"a/1","seq":12,"at":"2023-11-14T22:13:20.000Z","title":"x","title":"y"}"#,
    #"{"kind":"episode","id":"a/1","seq":12,"at":"2023-11-14T22:13:20.000Z","parts":[{"size":1,"size":2}]}"#,
    "{\"kind\":\"episode\",\"id\":\"a/1\",\"seq\":12,\"at\":\"2023-11-14T22:13:20.000Z\",\"title\":\"\0\0\"}",
    #"{"kind":"episode","id":"a/1","seq":12,"at":"2023-11-14T22:13:20.000Z","title":7}"#,
    #"{"kind":"episode","id":"a/1","seq":12,"at":"2023-11-14T22:13:20.000Z","deleted":true,}"#,
    #"{"kind" "episode","id":"a/1","seq":12}"#,
  ])
  func `a broken line costs that line only, and the record is stale`(broken: String) throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""title":"old""#), broken,
      StoreFixture.line("b/1", seq: 13, #""title":"other""#),
    ])
    for query in [EpisodeQuery(), state(.new)] {
      let store = try fixture.open()
      #expect(try store.snapshot().ids(query) == ["a/1", "b/1"])
    }
    let walking = try fixture.open().snapshot()
    #expect(try walking.episode(try EpisodeID("a/1"))?.title == "old")
    #expect(walking.stored("a/1")?.isStale == true)
    #expect(walking.stored("b/1")?.isStale == false)
    let offset =
      StoreFixture.header.utf8.count + 1
      + StoreFixture.line("a/1", seq: 11, #""title":"old""#).utf8.count + 1
    #expect(walking.damage == [DamagedLine(offset: offset, length: broken.utf8.count)])
  }

  private func state(_ state: EpisodeState) -> EpisodeQuery {
    var query = EpisodeQuery()
    query.states = [state]
    return query
  }

  @Test func `a good line over a broken one ends the damage`() throws {
    try fixture.write([StoreFixture.line("a/1", seq: 11, #""title":"old""#) + "x"])
    let store = try fixture.open()
    #expect(try store.snapshot().ids() == [])
    #expect(try store.snapshot().damage.count == 1)
    try store.update(.soon) { $0.write(try .sample("a/1", title: "new")) }
    #expect(try title("a/1") == "new")
    #expect(try store.snapshot().damage == [])
  }

  @Test func `a record equal to its stale line is appended nevertheless`() throws {
    try fixture.write([])
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try fixture.append(StoreFixture.line("a/1", seq: 12) + "x\n")
    #expect(try store.update(.soon) { $0.write(try .sample("a/1")) } == 13)
    #expect(try store.snapshot().stored("a/1")?.isStale == false)
  }

  @Test(arguments: [
    #"{"id":"a/1","title":"T","kind":"episode","at":"2023-11-14T22:13:20Z","seq":12}"#,
    #"{ "kind" : "episode", "id" : "a/1", "seq" : 12, "at" : "2023-11-14T22:13:20.000Z", "title" : "T" }"#,
    #"{"kind":"episode","id":"a\/1","seq":12,"at":"2023-11-14T22:13:20.000Z","title":"T"}"#,
    #"{"kind":"epis\u006fde","id":"\u0061/1","seq":12,"title":"\u0054"}"#,
    #"{"kind":"episode","id":"a/1","title":"T"}"#,
    "{\"kind\":\"episode\",\"id\":\"a/1\",\"seq\":12,\"at\":\"2023-11-14T22:13:20.000Z\",\"title\":\"T\"}\r",
  ])
  func `a line edited by hand is read`(line: String) throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""title":"old""#), "", line, "  ",
    ])
    #expect(try title("a/1") == "T")
    let snapshot = try fixture.open().snapshot()
    #expect(try snapshot.ids() == ["a/1"])
    #expect(snapshot.damage == [])
  }

  @Test func `nesting of thousands breaks one line`() throws {
    let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""title":"old""#),
      StoreFixture.line("a/1", seq: 12, #""x":\#(deep)"#),
    ])
    #expect(try title("a/1") == "old")
  }

  @Test func `a line of megabytes is read, one of more than 16 MiB is broken`() throws {
    let long = String(repeating: "x", count: 3 << 20)
    try fixture.write([StoreFixture.line("a/1", seq: 11, #""title":"\#(long)""#)])
    #expect(try title("a/1")?.utf8.count == 3 << 20)
    let tooLong = String(repeating: "x", count: 17 << 20)
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""title":"old""#),
      StoreFixture.line("a/1", seq: 12, #""title":"\#(tooLong)""#),
    ])
    #expect(try title("a/1") == "old")
  }

  @Test func `an empty file is a new library`() throws {
    try fixture.folder.write("home/store.jsonl", "")
    let store = try fixture.open()
    #expect(try store.snapshot().ids() == [])
    try store.update(.durable) { $0.write(try .sample("a/1")) }
    #expect(try store.snapshot().header?.epoch == 1)
    #expect(try store.snapshot().ids() == ["a/1"])
  }

  @Test func `a store that is gone although its snapshot is there is an error`() throws {
    try fixture.folder.write("home/store.jsonl.1", StoreFixture.header + "\n")
    let store = try fixture.open()
    #expect(throws: StoreError.storeGone(fixture.home.store)) { try store.snapshot() }
    #expect(throws: StoreError.storeGone(fixture.home.store)) {
      try store.update(.soon) { $0.write(try .sample("a/1")) }
    }
  }

  @Test func `a broken header is taken from the snapshot, and the library goes on`() throws {
    try fixture.write([StoreFixture.line("a/1", seq: 11)])
    let text = try fixture.folder.text("home/store.jsonl")
    try fixture.folder.write("home/store.jsonl", "#" + text)
    #expect(try fixture.open().snapshot().ids() == ["a/1"])
    let before = try fixture.open()
    #expect(throws: StoreError.headerLost(fixture.home.store)) {
      try before.update(.soon) { $0.write(try .sample("a/2")) }
    }
    try fixture.folder.write("home/store.jsonl.1", StoreFixture.header + "\n")
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    #expect(try store.snapshot().header?.library == StoreFixture.library)
    #expect(try store.snapshot().header?.epoch == 5)
    #expect(try store.snapshot().ids() == ["a/1", "a/2"])
    #expect(try fixture.folder.text("home/store.damaged").hasPrefix("#{"))
  }

  @Test func `a removal counts in every look, wherever its line says so`() throws {
    let removal = StoreFixture.line("a/1", seq: 12, #""title":"x","deleted":true"#)
    try fixture.write([
      StoreFixture.line("a/1", seq: 11), removal, StoreFixture.line("a/2", seq: 13),
    ])
    let store = try fixture.open()
    let snapshot = try store.snapshot()
    #expect(try snapshot.ids() == ["a/2"])
    #expect(try snapshot.episode(EpisodeID("a/1")) == nil)
    var summaries: [String] = []
    snapshot.summaries {
      summaries.append($0.id.description)
      return true
    }
    #expect(summaries == ["a/2"])
    #expect(snapshot.damage == [])
    try store.writer.compactNow(CompactionRequest(movesUnknownLines: true))
    #expect(try store.snapshot().ids() == ["a/2"])
    #expect(try fixture.open().snapshot().episode(EpisodeID("a/1")) == nil)
  }

  @Test func `whatever is cut off or flipped, reading and writing go on`() throws {
    let store = try fixture.open()
    try fixture.fillWithChanges(store)
    let good = try fixture.folder.bytes("home/store.jsonl")
    let header = (good.firstIndex(of: 0x0A) ?? 0) + 1
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var bytes = good
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        bytes[Int.random(in: header..<bytes.count, using: &random)] = UInt8.random(in: 0...255)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count - header, using: &random))
      try fixture.folder.write("home/store.jsonl", bytes)
      let damaged = try fixture.open()
      let snapshot = try damaged.snapshot()
      let ids = try snapshot.ids()
      for id in ids where EpisodeID(valid: id) != nil {
        #expect(try snapshot.episode(try EpisodeID(id)) != nil)
      }
      _ = snapshot.damage
      try damaged.update(.soon) { $0.write(try .sample("z/1", title: "after")) }
      #expect(try damaged.snapshot().episode(try EpisodeID("z/1"))?.title == "after")
      #expect(try fixture.open().snapshot().ids().last == "z/1")
    }
  }
}
