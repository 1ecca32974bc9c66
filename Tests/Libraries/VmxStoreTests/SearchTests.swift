import Testing
import VmxJSON
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// Lookups without an index must return the same results as lookups with one.
struct SearchTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Writes several thousand lines: more bytes than in a store that is indexed immediately.
  private func fill() throws {
    let filler = String(repeating: "lorem ipsum ", count: 150)
    var lines: [String] = []
    for number in 0..<1500 {
      let id = "show-\(number % 40)/e\(number % 600)"
      let key = IdentityKey.source("\(number)").key
      switch number % 50 {
      case 7:
        lines.append(StoreFixture.line(id, seq: number, marks: #","deleted":true"#))
      case 8:
        lines.append(
          #"{"kind":"alias","id":"\#(id)","seq":\#(number),"at":"2023-11-14T22:13:20.000Z","#
            + #""to":"show-1/e1"}"#)
      case 9:
        lines.append(#"{"id":"\#(id)","kind":"episode","title":"hand \#(number)","seq":1}"#)
      case 10:
        lines.append(StoreFixture.line(id, seq: number, #""title":"broken"#))
      case 11:
        let hidden = key.replacing("u:", with: #"\u0075:"#)
        lines.append(
          StoreFixture.line(id, seq: number, #""title":"\#(number)","identity":["\#(hidden)"]"#))
      default:
        let fields = #""identity":["\#(key)"],"title":"\#(number)","summary":"\#(filler)""#
        lines.append(StoreFixture.line(id, seq: number, fields))
      }
    }
    try fixture.write(lines)
  }

  @Test func `episodes and aliases are the same with and without an index`() throws {
    try fill()
    let indexed = try fixture.open().snapshot()
    _ = try indexed.ids()
    for number in 0..<620 {
      let id = try EpisodeID("show-\(number % 40)/e\(number)")
      let walking = try fixture.open().snapshot()
      #expect(try walking.episode(id) == indexed.episode(id), "\(id)")
      #expect(walking.stored("\(id)")?.isStale == indexed.stored("\(id)")?.isStale, "\(id)")
    }
  }

  @Test func `evidence is found the same with and without an index`() throws {
    try fill()
    let indexed = try fixture.open().snapshot()
    _ = try indexed.ids()
    for number in stride(from: 0, to: 1500, by: 7) {
      let evidence = [IdentityKey.source("\(number)"), .source("nowhere")]
      let walking = try fixture.open().snapshot()
      #expect(walking.find(evidence) == indexed.find(evidence), "\(number)")
    }
  }

  @Test func `a store that grows is caught up with, in any order of looks and puts`() throws {
    try fill()
    let reader = try fixture.open()
    let writer = try fixture.open()
    for number in 0..<60 {
      var episode = try Episode.sample("new/e\(number)", title: "N\(number)")
      episode.identity = [.source("new \(number)")]
      try writer.update(.soon) { transaction in
        #expect(transaction.find(episode.identity) == [])
        transaction.write(episode)
      }
      let snapshot = try reader.snapshot()
      #expect(try snapshot.episode(episode.id)?.title == "N\(number)")
      #expect(snapshot.find(episode.identity) == [episode.id])
    }
    let ids = try reader.snapshot().ids()
    let expected: [String] = (0..<60).map { "new/e\($0)" }
    #expect(Array(ids.suffix(60)) == expected)
  }

  @Test func `what was looked for before the lock is fresh under it`() throws {
    try fill()
    let id = try EpisodeID("show-1/e1")
    let gone = try EpisodeID("show-3/e3")
    let evidence = [IdentityKey.source("1441"), .source("brand new")]
    let store = try fixture.open()
    try store.prepare([id, gone], evidence)
    let before = try store.snapshot().find(evidence)
    var new = try Episode.sample("brand/new")
    new.identity = [.source("brand new")]
    try fixture.open().update(.soon) { transaction in
      transaction.write(try .sample("show-1/e1", title: "fresh"))
      transaction.delete(.episode, "show-3/e3")
      transaction.write(new)
    }
    try store.update(.soon) { transaction in
      let found = try (transaction.episode(id), transaction.episode(gone))
      #expect(found.0?.title == "fresh" && found.1 == nil)
      #expect(Set(transaction.find(evidence)) == Set(before + [new.id]))
    }
  }

  @Test func `one pass finds what a walk and a search find`() throws {
    try fill()
    for number in stride(from: 0, to: 600, by: 7) {
      let id = try EpisodeID("show-\(number % 40)/e\(number)")
      let evidence = [IdentityKey.source("\(number + 600)"), .source("nowhere")]
      let apart = try fixture.open().snapshot()
      let store = try fixture.open()
      let together = try store.snapshot()
      together.search(for: id, evidence)
      #expect(try together.episode(id) == apart.episode(id), "\(id)")
      #expect(together.stored("\(id)")?.isStale == apart.stored("\(id)")?.isStale, "\(id)")
      #expect(together.find(evidence) == apart.find(evidence), "\(number)")
    }
  }

  @Test func `a walk that stopped early goes on where it stopped`() throws {
    try fill()
    let store = try fixture.open()
    let image = try #require(try store.snapshot().image)
    let cache = store.writer.cache
    _ = try cache.image(of: image.file)
    let walk = LineWalk(image: image, parser: JSONParser(), cache: cache)
    var whole: [Int] = []
    LineWalk(image: image, parser: JSONParser()).visit("show-1/e1", before: image.bound) {
      whole.append($0.offset)
      return true
    }
    #expect(whole.count > 2)
    for limit in [1, 2, 1, whole.count, 1, whole.count] {
      var seen: [Int] = []
      walk.visit("show-1/e1", before: image.bound) {
        seen.append($0.offset)
        return seen.count < limit
      }
      #expect(seen == Array(whole.prefix(limit)))
    }
  }

  private static let oldRoot =
    #"{"kind":"root","id":"r1","seq":11,"at":"2023-11-14T22:13:20.000Z","path":"/old"}"#
  private static let newRoot =
    #"{"kind":"root","id":"r1","seq":13,"at":"2023-11-14T22:13:20.000Z","path":"/new"}"#
  private static let unended =
    #"{"kind":"root","id":"r1","seq":14,"at":"2023-11-14T22:13:20.000Z","txn":"aa","path":"/no"}"#
  private static let otherRoot =
    #"{"kind":"root","id":"r2","seq":15,"at":"2023-11-14T22:13:20.000Z","path":"/other"}"#

  /// Returns the paths of the roots for a reader that has searched for an episode before. That
  /// search has filled the index cache down to the line where it ended.
  private func paths(_ lines: [String], after id: String) throws -> [String?] {
    try fixture.write(lines)
    let image = try #require(try fixture.open().snapshot().image)
    let cache = IndexCache(fixture.home)
    _ = try cache.image(of: image.file)
    let walk = LineWalk(image: image, parser: JSONParser(), cache: cache)
    walk.visit(id, before: image.bound) { _ in false }
    let reader = RecordReader(image: image, parser: JSONParser(), cache: cache)
    return ["r1", "r2"].map { root in
      let key = RecordKey(kind: .root, id: root)
      let found = reader.last(key, before: image.bound, RecordReader.record)
      return found?.value.fields["path"]?.string
    }
  }

  @Test(arguments: ["a/1", "a/2", "a/3", "x/1"])
  func `a root is found whatever was looked for before it`(id: String) throws {
    let (one, two, three) = (
      StoreFixture.line("a/1", seq: 12), StoreFixture.line("a/2", seq: 12),
      StoreFixture.line("a/3", seq: 16)
    )
    let old = Self.oldRoot
    let new = Self.newRoot
    #expect(try paths([old, one, two, three], after: id) == ["/old", nil])
    let renewed = [old, one, new, two, Self.otherRoot, three]
    #expect(try paths(renewed, after: id) == ["/new", "/other"])
    #expect(try paths([old, one, Self.unended, two, three], after: id) == ["/old", nil])
    // A broken line or one in another form has the same effect as without the earlier search.
    let broken = String(new.dropLast())
    #expect(try paths([old, one, broken, two, three], after: id) == ["/old", nil])
    let spaced = new.replacing(#""kind":"root""#, with: #""kind": "root""#)
    #expect(try paths([old, one, spaced, two, three], after: id) == ["/new", nil])
  }

  @Test func `a pass for an episode and its evidence knows the roots as well`() throws {
    let named = StoreFixture.line("a/1", seq: 12, #""title":"one""#)
    try fixture.write([Self.oldRoot, named, Self.newRoot, Self.otherRoot, Self.unended])
    let image = try #require(try fixture.open().snapshot().image)
    let mentions = MentionSearch("a/1", [IdentityKey.source("x").key]).run(in: image)
    let walk = LineWalk(image: image, parser: JSONParser())
    for root in ["r1", "r2"] {
      var offsets: [Int] = []
      walk.visit(root, before: image.bound) {
        offsets.append($0.offset)
        return true
      }
      #expect(mentions.roots.hits[root]?.map(\.offset) == offsets)
    }
    #expect(mentions.roots.from == 0 && !mentions.roots.isIncomplete)
  }

  @Test func `evidence in a form that is not ours is found`() throws {
    try fill()
    let id = "odd/e1"
    try fixture.append(
      StoreFixture.line(id, seq: 2000, #""identity":["isbn 3","\#(IdentityKey.source("1").key)"]"#)
        + "\n")
    let image = try #require(try fixture.open().snapshot().image)
    #expect(MentionSearch(nil, ["isbn 3"]).run(in: image).holders == [id])
    #expect(MentionSearch(nil, ["isbn 4"]).run(in: image).holders == [])
  }

  @Test func `an older snapshot stays as it was`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1", title: "old")) }
    let before = try store.snapshot()
    try store.update(.soon) { transaction in
      transaction.write(try .sample("a/1", title: "new"))
      transaction.write(try .sample("a/2"))
    }
    _ = try store.snapshot().ids()
    #expect(try before.episode(try EpisodeID("a/1"))?.title == "old")
    #expect(try before.ids() == ["a/1"])
  }

  @Test func `a large store is scanned in pieces to the same end`() throws {
    let filler = String(repeating: "x", count: 20_000)
    let lines = (0..<1200).map {
      StoreFixture.line("a/\($0 % 1000)", seq: $0, #""title":"\#($0)","summary":"\#(filler)""#)
    }
    try fixture.write(lines)
    var titles: [String] = []
    try fixture.open().snapshot().episodes(matching: EpisodeQuery()) {
      titles.append($0.title)
      return true
    }
    let expected: [String] = (0..<1000).map { $0 < 200 ? "\($0 + 1000)" : "\($0)" }
    #expect(titles == expected)
  }

  @Test func `records of a kind come in order and stop when told`() throws {
    let store = try fixture.open()
    for name in ["x", "y", "z"] {
      try store.update(.soon) {
        $0.write(StoredRecord(kind: .show, id: name, fields: JSONObject(distinct: [("n", 1)])))
        $0.write(try .sample("a/\(name)"))
      }
    }
    var names: [String] = []
    try store.snapshot().records(of: .show) {
      names.append($0.id)
      return names.count < 2
    }
    #expect(names == ["x", "y"])
  }
}
