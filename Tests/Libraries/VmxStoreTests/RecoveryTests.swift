import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// A damaged store beside a snapshot that contains the lost records.
struct RecoveryTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let ids = ["a/1", "a/2", "a/3", "a/4", "a/5"]

  /// Creates a compacted store with five episodes, one of which was changed and one removed since.
  private func fill() throws {
    let store = try fixture.open()
    for id in Self.ids { try store.update(.soon) { $0.write(try .sample(id, title: "old \(id)")) } }
    try store.writer.compactNow()
    try store.update(.soon) { $0.write(try .sample("a/2", title: "new a/2")) }
    try store.update(.soon) { $0.delete(.episode, "a/3") }
    try store.update(.soon) { $0.write(try .sample("b/1", title: "late")) }
  }

  private func damage(_ text: String) throws {
    try fixture.folder.write("home/store.jsonl", text)
  }

  private func diagnosis() -> StoreDiagnosis {
    StoreDiagnosis(fixture.home, options: StoreOptions(), clock: fixture.clock) { _ in .free }
  }

  private func mend() throws {
    let findings = diagnosis().examine().findings
    #expect(StoreRepair(try fixture.open()) { _ in .free }.repair(findings) == [])
  }

  private func titles() throws -> [String] {
    var titles: [String] = []
    try fixture.open().snapshot().episodes(matching: EpisodeQuery()) { episode in
      titles.append(episode.title)
      return true
    }
    return titles
  }

  private static let old = ids.map { "old \($0)" }

  @Test(arguments: [
    String(repeating: "\0", count: 8192), "\n\n", "noise\nmore noise\nand no line end",
    #"{"kind":"header","id":"store","seq":0,"at":"2023"#, "",
  ])
  func `a store without header and records leaves its snapshot alone, and is mended from it`(
    content: String
  ) throws {
    try fill()
    let snapshot = try fixture.folder.text("home/store.jsonl.1")
    try damage(content)
    #expect(throws: StoreError.self) {
      try fixture.open().update(.durable) { $0.write(try .sample("c/1")) }
    }
    #expect(try fixture.folder.text("home/store.jsonl") == content)
    #expect(diagnosis().examine().findings.contains { $0.check == .header && $0.isRepairable })
    try mend()
    #expect(try titles() == Self.old)
    #expect(try fixture.folder.text("home/store.jsonl.1") == snapshot)
    #expect(diagnosis().examine().findings.allSatisfy { $0.severity != .problem })
    try fixture.open().update(.durable) { $0.write(try .sample("c/1", title: "next")) }
    #expect(try titles() == Self.old + ["next"])
  }

  @Test func `lines destroyed in the middle come back from the snapshot, in their order`() throws {
    try fill()
    var lines = try fixture.lines()
    lines[1] = String(repeating: "\0", count: 100)
    lines[4] = String(lines[4].dropLast(20))
    lines[5] = "junk"
    try damage(lines.map { $0 + "\n" }.joined())
    #expect(try titles() == ["new a/2", "late"])
    try mend()
    #expect(try titles() == ["old a/1", "new a/2", "old a/4", "old a/5", "late"])
    #expect(diagnosis().examine().findings.allSatisfy { $0.severity != .problem })
  }

  @Test func `a compaction by a writer brings lost lines back too`() throws {
    try fill()
    var lines = try fixture.lines()
    lines.remove(at: 4)
    try damage(lines.map { $0 + "\n" }.joined())
    let store = try fixture.open()
    let file = try #require(try store.writer.current(writable: true))
    try store.writer.compact(file)
    #expect(try titles() == ["old a/1", "new a/2", "old a/4", "old a/5", "late"])
  }

  @Test func `what the user removed stays removed, after the next damage too`() throws {
    try fill()
    for _ in 0..<2 {
      var lines = try fixture.lines()
      lines[1] = "junk"
      try damage(lines.map { $0 + "\n" }.joined())
      try mend()
      #expect(try titles() == ["old a/1", "new a/2", "old a/4", "old a/5", "late"])
    }
    let removed = try fixture.lines().filter { $0.contains(#""deleted":true"#) }
    #expect(removed.count == 1)
  }

  @Test func `a sound store with fewer records than its snapshot replaces it`() throws {
    try fill()
    let store = try fixture.open()
    try store.update(.soon) { for id in ["a/1", "a/2", "a/4"] { $0.delete(.episode, id) } }
    let before = try fixture.folder.text("home/store.jsonl")
    try store.writer.compactNow()
    #expect(try titles() == ["old a/5", "late"])
    #expect(try fixture.folder.text("home/store.jsonl.1") == before)
  }

  @Test func `an older copy that was put back gets nothing from a later snapshot`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1", title: "first")) }
    let copy = try fixture.folder.text("home/store.jsonl")
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    try store.writer.compactNow()
    try damage(copy + "junk\n")
    try mend()
    #expect(try titles() == ["first"])
    #expect(try fixture.folder.text("home/store.jsonl.1").contains("a/2"))
  }

  @Test func `whatever part of a store is overwritten, no record of its snapshot is lost`() throws {
    try fill()
    let snapshot = try fixture.folder.bytes("home/store.jsonl.1")
    let good = try fixture.folder.bytes("home/store.jsonl")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      try fixture.folder.write("home/store.jsonl.1", snapshot)
      var bytes = good
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let end = Int.random(in: start...bytes.count, using: &random)
      let noise = Bool.random(using: &random)
      // Neither kind of byte can turn an id or a mark into another valid one.
      for index in start..<end { bytes[index] = noise ? .random(in: 0x80...0xFF) : 0 }
      // A cut in the middle could join two lines to a third valid one.
      if Bool.random(using: &random) { bytes.removeSubrange(start...) }
      try fixture.folder.write("home/store.jsonl", bytes)
      try mend()
      let ids = try fixture.open().snapshot().ids()
      #expect(Set(Self.ids).subtracting(["a/3"]).isSubset(of: ids), "\(start) to \(end)")
    }
  }
}

/// Bytes after the last line end.
struct TailTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private let line = StoreFixture.line("a/1", seq: 11, #""title":"one""#)
  private let tail = StoreFixture.line("a/2", seq: 12, #""title":"two""#)

  @Test func `a record without its newline is kept by the next writer`() throws {
    try fixture.write([line], torn: tail)
    #expect(try fixture.open().snapshot().ids() == ["a/1"])
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/3")) } == 13)
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "a/3"])
    #expect(!fixture.folder.exists("home/store.damaged"))
  }

  @Test func `a header without its line end is kept too`() throws {
    try fixture.folder.write("home/store.jsonl", StoreFixture.header)
    try fixture.open().update(.soon) { $0.write(try .sample("a/1")) }
    #expect(try fixture.open().snapshot().header?.library == StoreFixture.library)
  }

  @Test func `mending keeps a record without its newline`() throws {
    try fixture.write([line], torn: tail)
    let diagnosis = StoreDiagnosis(fixture.home, options: StoreOptions(), clock: fixture.clock) {
      _ in
      .free
    }
    let store = try fixture.open()
    #expect(StoreRepair(store) { _ in .free }.repair(diagnosis.examine().findings) == [])
    #expect(try store.snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `the last line of a transaction without its line end finishes it`() throws {
    let first = StoreFixture.line("a/2", seq: 12, marks: #","txn":"t""#)
    let last = StoreFixture.line("a/3", seq: 13, marks: #","txn":"t","commit":true"#)
    try fixture.write([line, first], torn: last)
    try fixture.open().update(.soon) { _ in }
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "a/3"])
  }

  @Test func `a line of an unfinished transaction counts for nothing and is put aside`() throws {
    let unfinished = StoreFixture.line("a/2", seq: 12, marks: #","txn":"t""#)
    try fixture.write([line], torn: unfinished)
    try fixture.open().update(.soon) { _ in }
    #expect(try fixture.open().snapshot().ids() == ["a/1"])
    #expect(try fixture.folder.text("home/store.damaged") == unfinished + "\n")
  }

  @Test func `what is cut off is put aside, unless the disk is full`() throws {
    try fixture.write([line], torn: "half a line")
    try fixture.open().update(.soon) { _ in }
    #expect(try fixture.lines().count == 2)
    #expect(try fixture.folder.text("home/store.damaged") == "half a line\n")
  }
}
