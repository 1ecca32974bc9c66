import Glibc
import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

struct DurabilityTests {
  let fixture: StoreFixture
  let disk = FaultyDisk()

  init() throws { fixture = try StoreFixture() }

  @Test func `only a durable update flushes, and not twice for the same bytes`() throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    #expect(disk.plan.withLock { $0.flushed.count } == 0)
    try store.update(.durable) { $0.write(try .sample("a/2")) }
    #expect(disk.plan.withLock { $0.flushed.count } == 1)
    try store.update(.durable) { $0.write(try .sample("a/2")) }
    try store.flush()
    #expect(disk.plan.withLock { $0.flushed.count } == 1)
  }

  @Test func `an update that found its record there flushes what others had not`() throws {
    try fixture.open().update(.soon) { $0.write(try .sample("a/1")) }
    try fixture.open(disk: disk).update(.durable) { $0.write(try .sample("a/1")) }
    #expect(disk.plan.withLock { $0.flushed.count } == 1)
  }

  @Test(arguments: [0, 1, 40])
  func `a short write is cut back and told`(length: Int) throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let before = try fixture.folder.bytes("home/store.jsonl")
    disk.plan.withLock { $0.shortAppend = length }
    let error = #expect(throws: StoreError.self) {
      try store.update(.durable) { $0.write(try .sample("a/2")) }
    }
    #expect(error?.code == .storeFull)
    let summary = try #require(error?.summary)
    #expect(summary.contains(/^cannot write to '.*store\.jsonl': .*, needs \d+ B, .* free$/))
    #expect(try fixture.folder.bytes("home/store.jsonl") == before)
    try store.update(.durable) { $0.write(try .sample("a/3")) }
    #expect(try store.snapshot().ids() == ["a/1", "a/3"])
  }

  @Test func `a write that failed for another reason is cut back too`() throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let before = try fixture.folder.bytes("home/store.jsonl")
    disk.plan.withLock { ($0.shortAppend, $0.appendError) = (30, .ioError) }
    #expect(throws: StoreError.self) {
      try store.update(.durable) { $0.write(try .sample("a/2")) }
    }
    #expect(try fixture.folder.bytes("home/store.jsonl") == before)
  }

  @Test func `what could not be cut back is cut by the next writer`() throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    disk.plan.withLock { ($0.shortAppend, $0.truncateError) = (30, .ioError) }
    #expect(throws: StoreError.self) {
      try store.update(.durable) { $0.write(try .sample("a/2")) }
    }
    #expect(try store.snapshot().ids() == ["a/1"])
    try fixture.open().update(.durable) { $0.write(try .sample("a/3")) }
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/3"])
  }

  @Test func `a failed flush is never repeated on that file: a fresh copy takes its place`() throws
  {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let inode = try #require(try store.writer.current(writable: true)).facts.inode
    disk.plan.withLock { $0.flushErrors = [.ioError] }
    try store.update(.durable) { $0.write(try .sample("a/2")) }
    let file = try #require(try store.writer.current(writable: true))
    #expect(file.facts.inode != inode)
    #expect(file.header?.epoch == 2)
    let flushed = disk.plan.withLock { $0.flushed }
    #expect(flushed.filter { $0 == flushed[0] }.count == 1)
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `if the copy fails too it is not durable, and the file is still never flushed`() throws
  {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    disk.plan.withLock { $0.flushErrors = [.ioError, .noSpace, .ioError] }
    let expected = StoreError.notDurable(fixture.home.store, .ioError)
    #expect(throws: expected) { try store.update(.durable) { $0.write(try .sample("a/2")) } }
    #expect(expected.code.entry.status.rawValue == 74)
    let first = disk.plan.withLock { $0.flushed[0] }
    #expect(throws: expected) { try store.flush() }
    #expect(disk.plan.withLock { $0.flushed.filter { $0 == first }.count } == 1)
    // The disk works again: the next update makes the copy.
    try store.update(.durable) { $0.write(try .sample("a/3")) }
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "a/3"])
    #expect(try fixture.open().snapshot().header?.epoch == 2)
  }

  @Test func `a megabyte stays allocated beyond the end`() throws {
    let store = try fixture.open()
    for number in 0..<3 {
      try store.update(.durable) { $0.write(try .sample("a/\(number)")) }
      var status = stat()
      #expect(lstat(fixture.home.store.string, &status) == 0)
      #expect(Int(status.st_blocks) * 512 >= Int(status.st_size) + (1 << 20))
    }
  }

  @Test func `without room for the reserve only those who may use it append`() throws {
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let other = try fixture.open(disk: disk)
    disk.plan.withLock { $0.reserveError = .noSpace }
    let error = #expect(throws: StoreError.self) {
      try other.update(.durable) { $0.write(try .sample("a/2")) }
    }
    #expect(error?.code == .storeFull)
    try other.update(.durable, room: .useReserve) { $0.write(try .sample("a/3")) }
    #expect(try store.snapshot().ids() == ["a/1", "a/3"])
  }

  @Test func `the reserve is not asked for at every update`() throws {
    let store = try fixture.open(disk: disk)
    for number in 0..<50 { try store.update(.soon) { $0.write(try .sample("a/\(number)")) } }
    #expect(disk.plan.withLock { $0.reservations } == 1)
  }
}
