import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// Another program overwrites the bytes of the store in place while a process has it open.
struct OverwrittenTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Fills a store with two episodes, then with many more changes; returns the bytes of both
  /// states.
  private func fill(_ store: LibraryStore) throws -> (before: [UInt8], after: [UInt8]) {
    try store.update(.soon) { $0.write(try .sample("a/1", title: "old")) }
    try store.update(.soon) { $0.write(try .sample("a/2", title: "old")) }
    let before = try fixture.folder.bytes("home/store.jsonl")
    for number in 0..<20 {
      try store.update(.soon) { $0.write(try .sample("a/\(number % 5)", title: "\(number)")) }
    }
    return (before, try fixture.folder.bytes("home/store.jsonl"))
  }

  @Test func `a shorter copy is read anew, and written to`() throws {
    let store = try fixture.open()
    let (before, _) = try fill(store)
    try fixture.overwrite(before)
    #expect(try store.snapshot().ids() == ["a/1", "a/2"])
    #expect(try store.update(.durable) { $0.write(try .sample("a/1", title: "new")) } == 3)
    #expect(try fixture.open().snapshot().episode(EpisodeID("a/1"))?.title == "new")
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `a writer that did not look in between starts from the copy`() throws {
    let store = try fixture.open()
    let (before, _) = try fill(store)
    try fixture.overwrite(before)
    #expect(try store.update(.durable) { $0.write(try .sample("b/1")) } == 3)
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "b/1"])
  }

  @Test func `a longer copy is read anew too`() throws {
    let store = try fixture.open()
    let (before, after) = try fill(store)
    try fixture.overwrite(before)
    let other = try fixture.open()
    #expect(try other.snapshot().ids() == ["a/1", "a/2"])
    try fixture.overwrite(after)
    #expect(try other.snapshot().ids().count == 5)
    try fixture.overwrite(Array(after.dropFirst(0)) + Array("\n".utf8) + Array("junk\n".utf8))
    #expect(try other.update(.soon) { $0.write(try .sample("b/1")) } == 23)
  }

  @Test func `a follower tells what the copy holds`() throws {
    let store = try fixture.open()
    let (before, _) = try fill(store)
    let follower = try StoreFollower(store)
    try fixture.overwrite(before)
    var told: [String] = []
    try follower.forEachChange { told.append($0.id) }
    #expect(told == ["a/1", "a/2"])
  }
}

extension StoreFixture {
  /// Writes bytes over the store without replacing the file.
  func overwrite(_ bytes: [UInt8]) throws {
    let descriptor = try FileDescriptor.open(home.store, .writeOnly, options: .truncate)
    _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
  }
}
