import Glibc
import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct CompactionTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Compacts the store, however few dead bytes it has.
  private func compact(_ store: LibraryStore) throws {
    let file = try #require(try store.writer.current(writable: true))
    let job = try #require(try store.tryJob(.compaction))
    defer { job.release() }
    #expect(try store.writer.compact(file))
  }

  @Test func `what counts stays as it was, in its order, and what is dead goes`() throws {
    let store = try fixture.open()
    for id in ["b/1", "a/1", "c/1", "d/1"] { try store.update(.soon) { $0.write(try .sample(id)) } }
    try store.update(.soon) { transaction in
      transaction.write(try .sample("b/1", title: "New"))
      transaction.delete(.episode, "c/1")
      transaction.writeAlias(try EpisodeID("c/1"), try EpisodeID("d/1"))
      transaction.write(StoredRecord(kind: RecordKind(rawValue: "comet"), id: "x", fields: .init()))
    }
    let before = try store.snapshot().episode(try EpisodeID("b/1"))
    let old = try fixture.folder.text("home/store.jsonl")
    try compact(store)
    let lines = try fixture.lines()
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { !$0.contains("txn") && !$0.contains("commit") })
    let snapshot = try fixture.open().snapshot()
    #expect(try snapshot.ids() == ["b/1", "a/1", "d/1"])
    #expect(try snapshot.episode(try EpisodeID("b/1")) == before)
    #expect(try snapshot.resolve(try EpisodeID("c/1"))?.description == "d/1")
    #expect(snapshot.record(RecordKind(rawValue: "comet"), "x") != nil)
    #expect(try fixture.folder.text("home/store.jsonl.1") == old)
    #expect(!fixture.folder.exists("home/store.jsonl.new"))
  }

  // Regression: the copy was not durable when it replaced the previous snapshot, so a power cut
  // could leave an empty one.
  @Test func `without hard links the previous snapshot stays until its copy is durable`() throws {
    let disk = FaultyDisk()
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try compact(store)
    let previous = try fixture.folder.text("home/store.jsonl.1")
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    let old = try fixture.folder.text("home/store.jsonl")
    // The new store is flushed once, then the copy of the old one.
    disk.plan.withLock { ($0.linkError, $0.flushErrors) = (.notPermitted, [nil, nil, .ioError]) }
    #expect(throws: StoreError.self) { try compact(store) }
    #expect(try fixture.folder.text("home/store.jsonl.1") == previous)
    #expect(try fixture.folder.text("home/store.jsonl") == old)
    try compact(store)
    #expect(try fixture.folder.text("home/store.jsonl.1") == old)
  }

  @Test func `the header keeps the library, counts the epoch and holds the numbers`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    try store.update(.soon) { $0.delete(.episode, "a/2") }
    let before = try store.snapshot().header
    try compact(store)
    let header = try store.snapshot().header
    #expect(header?.library == before?.library)
    #expect(header?.epoch == 2)
    #expect(header?.seqFloor == 3)
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/3")) } == 4)
  }

  @Test func `broken lines are kept aside, the lines before them count`() throws {
    let broken = StoreFixture.line("a/1", seq: 12, #""title":"new"#)
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, #""title":"old""#), broken, "junk",
      StoreFixture.line("b/1", seq: 13, #""title":"fine""#),
    ])
    let store = try fixture.open()
    try compact(store)
    #expect(try fixture.folder.text("home/store.damaged") == broken + "\njunk\n")
    let snapshot = try store.snapshot()
    #expect(snapshot.damage == [])
    #expect(try snapshot.ids() == ["a/1", "b/1"])
    #expect(try snapshot.episode(try EpisodeID("a/1"))?.title == "old")
    try fixture.append("more junk\n")
    try compact(store)
    #expect(try fixture.folder.text("home/store.damaged") == broken + "\njunk\nmore junk\n")
  }

  @Test func `a line with a value we do not know stays`() throws {
    let strange = StoreFixture.line("a/1", seq: 12, #""want":"someday""#)
    try fixture.write([StoreFixture.line("a/1", seq: 11, #""title":"old""#), strange])
    let store = try fixture.open()
    try compact(store)
    #expect(try fixture.lines().last == strange)
    #expect(try store.snapshot().episode(try EpisodeID("a/1"))?.title == "old")
  }

  @Test func `old snapshots read on, other writers notice`() throws {
    let store = try fixture.open()
    let other = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try other.update(.soon) { $0.write(try .sample("a/2")) }
    let before = try other.snapshot()
    try compact(store)
    try other.update(.soon) { $0.write(try .sample("a/3")) }
    #expect(try before.ids() == ["a/1", "a/2"])
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "a/3"])
  }

  @Test func `what a crash left of an earlier compaction is no hindrance`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    try fixture.folder.write("home/store.jsonl.new", "half a line")
    try fixture.folder.write("home/store.jsonl.1.new", "half a line")
    try compact(store)
    #expect(try store.snapshot().ids() == ["a/1"])
  }

  @Test func `only more than 4 MiB of dead bytes are worth it, and one at a time`() throws {
    let store = try fixture.open()
    let filler = String(repeating: "x", count: 700_000)
    for number in 0..<5 {
      try store.update(.soon) { $0.write(try .sample("a/1", title: "\(number)\(filler)")) }
    }
    #expect(try !store.compactIfNeeded())
    for number in 5..<9 {
      try store.update(.soon) { $0.write(try .sample("a/1", title: "\(number)\(filler)")) }
    }
    let job = try #require(try fixture.open().tryJob(.compaction))
    #expect(try !store.compactIfNeeded())
    job.release()
    #expect(try store.compactIfNeeded())
    #expect(try !store.compactIfNeeded())
    #expect(try store.snapshot().ids() == ["a/1"])
  }

  @Test func `a large library that only grew is not worth it`() throws {
    let store = try fixture.open()
    let filler = String(repeating: "x", count: 700_000)
    for number in 0..<8 {
      try store.update(.soon) { $0.write(try .sample("a/\(number)", title: filler)) }
    }
    #expect(try !store.compactIfNeeded())
  }
}

/// Compactions that fail.
struct FailedCompactionTests {
  let fixture: StoreFixture
  let disk = FaultyDisk()

  init() throws { fixture = try StoreFixture() }

  @Test(arguments: [[Errno.ioError], [nil, .noSpace]])
  func `the store is as it was and nothing is left lying about`(errors: [Errno?]) throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let before = try fixture.folder.bytes("home/store.jsonl")
    disk.plan.withLock { $0.flushErrors = errors }
    let file = try #require(try store.writer.current(writable: true))
    #expect(throws: StoreError.self) { try store.writer.compact(file) }
    #expect(try fixture.folder.bytes("home/store.jsonl") == before)
    #expect(fixture.folder.names(in: "home") == ["lock", "store.jsonl"])
    try store.update(.durable) { $0.write(try .sample("a/2")) }
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `no room for the reserve is no reason to fail`() throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    disk.plan.withLock { $0.reserveError = .noSpace }
    let file = try #require(try store.writer.current(writable: true))
    #expect(try store.writer.compact(file))
    #expect(try store.snapshot().header?.epoch == 2)
  }
}
