import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct StoreFollowerTests {
  let fixture: StoreFixture
  let store: LibraryStore

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.open()
  }

  /// Returns the changes of one poll as ids, with `-` before removed ones.
  private func look(_ follower: StoreFollower) throws -> [String] {
    var seen: [String] = []
    try follower.forEachChange { change in
      seen.append(change.content == .removed ? "-\(change.id)" : change.id)
    }
    return seen
  }

  private func put(_ id: String, title: String = "A title") throws {
    _ = try store.update(.soon) { $0.write(try .sample(id, title: title)) }
  }

  private static let open = #","txn":"aa""#
  private static let close = #","txn":"aa","commit":true"#

  @Test func `only what came since the last look is told, in the order of the lines`() throws {
    try put("a/1")
    let follower = try StoreFollower(store)
    #expect(try look(follower).isEmpty)
    try put("b/1")
    try put("a/1", title: "Another")
    #expect(try look(follower) == ["b/1", "a/1"])
    #expect(try look(follower).isEmpty)
  }

  @Test func `each of several changes of one record is told, and its removal`() throws {
    try put("z/1")
    let follower = try StoreFollower(store)
    try put("a/1")
    try put("a/1", title: "Another")
    try store.update(.soon) { $0.delete(.episode, "a/1") }
    #expect(try look(follower) == ["a/1", "a/1", "-a/1"])
  }

  @Test func `records of other kinds are told as they are`() throws {
    let follower = try StoreFollower(store)
    let record = StoredRecord(
      kind: .network, id: "home", fields: JSONObject(distinct: [("months", .null)]))
    try store.update(.soon) { $0.write(record) }
    var seen: [StoreChange] = []
    try follower.forEachChange { seen.append($0) }
    #expect(seen.map(\.kind) == [.network])
    guard case .record(let found)? = seen.first?.content else {
      Issue.record("no record")
      return
    }
    #expect(found.fields == record.fields)
  }

  @Test func `a torn last line is told when it is whole`() throws {
    try fixture.write([StoreFixture.line("a/1", seq: 11)])
    let follower = try StoreFollower(store)
    let line = StoreFixture.line("a/2", seq: 12)
    try fixture.append(String(line.prefix(40)))
    #expect(try look(follower).isEmpty)
    try fixture.append(line.dropFirst(40) + "\n")
    #expect(try look(follower) == ["a/2"])
  }

  @Test func `lines of a transaction are told when it is finished`() throws {
    try fixture.write([StoreFixture.line("a/1", seq: 11)])
    let follower = try StoreFollower(store)
    try fixture.append(StoreFixture.line("a/2", seq: 12, marks: Self.open) + "\n")
    #expect(try look(follower).isEmpty)
    try fixture.append(StoreFixture.line("a/3", seq: 13, marks: Self.close) + "\n")
    #expect(try look(follower) == ["a/2", "a/3"])
  }

  @Test func `an unfinished transaction in the middle is never told`() throws {
    try fixture.write([])
    let follower = try StoreFollower(store)
    for line in [
      StoreFixture.line("a/1", seq: 11, marks: Self.open), StoreFixture.line("b/1", seq: 12),
      StoreFixture.line("a/2", seq: 13, marks: #","txn":"bb""#),
      StoreFixture.line("a/3", seq: 14, marks: Self.close),
    ] {
      try fixture.append(line + "\n")
    }
    #expect(try look(follower) == ["b/1", "a/3"])
  }

  @Test func `a broken line is no change, nor is one that cannot mean an episode`() throws {
    try fixture.write([StoreFixture.line("a/1", seq: 11)])
    let follower = try StoreFollower(store)
    try fixture.append("{\"kind\":\"episode\",\"id\":\"a/1\",,}\n\n")
    try fixture.append(StoreFixture.line("a/1", seq: 12, #""title":7"#) + "\n")
    #expect(try look(follower).isEmpty)
  }

  @Test func `a compaction in between invents nothing and hides nothing`() throws {
    for id in ["a/1", "a/2", "a/3", "a/4"] { try put(id) }
    try store.update(.soon) { transaction in
      for id in ["b/1", "b/2"] { transaction.write(try .sample(id)) }
    }
    let follower = try StoreFollower(store)
    try put("a/2", title: "Another")
    try store.update(.soon) { $0.delete(.episode, "a/3") }
    try put("c/1")
    let other = try fixture.open()
    #expect(try other.writer.compact(try #require(try other.writer.current(writable: true))))
    try put("c/2")
    #expect(try look(follower) == ["a/2", "c/1", "c/2", "-a/3"])
    #expect(try look(follower).isEmpty)
    try put("a/1", title: "Another")
    #expect(try look(follower) == ["a/1"])
  }

  @Test func `a compaction alone is no change, and is told`() throws {
    for title in ["One", "Two"] { try put("a/1", title: title) }
    let follower = try StoreFollower(store)
    let other = try fixture.open()
    #expect(try other.writer.compact(try #require(try other.writer.current(writable: true))))
    var changes = 0
    let isReplaced = try follower.forEachChange { _ in changes += 1 }
    #expect(isReplaced && changes == 0)
  }

  @Test func `a store that appears or vanishes is followed`() throws {
    let follower = try StoreFollower(try fixture.open())
    #expect(try look(follower).isEmpty)
    #expect(!fixture.folder.exists("home"))
    try put("a/1")
    #expect(try look(follower) == ["a/1"])
    #expect(fixture.home.store.withPlatformString { unlink($0) } == 0)
    #expect(try look(follower) == ["-a/1"])
  }

  @Test func `only the new bytes are looked at`() throws {
    try fixture.write((0..<2000).map { StoreFixture.line("a/\($0)", seq: 11 + $0) })
    let follower = try StoreFollower(store)
    try fixture.append(StoreFixture.line("b/1", seq: 5000) + "\n")
    #expect(try look(follower) == ["b/1"])
    let image = try #require(follower.snapshot.image)
    #expect(!follower.snapshot.hasIndex(of: image))
  }

  @Test func `a store that was cut in place is told anew`() throws {
    try fixture.write((0..<9).map { StoreFixture.line("a/\($0)", seq: 11 + $0) })
    let follower = try StoreFollower(store)
    let size = StoreFixture.header.utf8.count + 1 + StoreFixture.line("a/0", seq: 11).utf8.count + 1
    #expect(fixture.home.store.withPlatformString { truncate($0, size) } == 0)
    #expect(try look(follower) == ["a/0"])
  }
}
