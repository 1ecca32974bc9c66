import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

// Regression: a home that was restored from a backup wrote on, and nothing told of the marks and
// removals of the days since.
struct OlderStoreTests {
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  /// A store whose last line is old, with a root that has the given sidecars.
  private func store(sidecars: [String], trash: [String] = []) throws -> LibraryStore {
    let store = try fixture.open()
    let root = fixture.folder.path("media")
    let mark = RootMark(root: "r-1", library: "l-1")
    try fixture.folder.write(
      "media/\(LibraryLayout.mark)", String(decoding: mark.bytes, as: UTF8.self))
    try store.update(.soon) { transaction in
      var fields = JSONObject()
      fields.append("path", root.string)
      transaction.write(StoredRecord(kind: .root, id: "r-1", fields: fields))
    }
    for (number, text) in sidecars.enumerated() {
      try fixture.folder.write("media/\(LibraryLayout.Folder.records.path)/t~\(number).json", text)
    }
    for name in trash {
      try fixture.folder.write("media/\(LibraryLayout.trashEntry(name))/entry.json", "{}")
    }
    return store
  }

  @Test func `sidecars and trash that the store does not know are told with their numbers`() throws
  {
    let store = try store(
      sidecars: [
        #"{"id":"t/0","rev":90,"record":{"feed":"bees"}}"#, #"{"id":"t/1","rev":1,"record":{}}"#,
      ], trash: ["run~t~9"])
    let older = try #require(try store.olderThanMedia())
    #expect(older.episodes == 1)
    #expect(older.removals == 1)
    #expect(older.feeds == ["bees"])
    #expect(
      older.text.hasPrefix(
        "this store is older than its media (rev 90 > 1): 1 record, 1 removal, 1 subscription newer"
      ))
  }

  @Test func `a store that knows its media is not older`() throws {
    #expect(try store(sidecars: [#"{"id":"t/1","rev":1,"record":{}}"#]).olderThanMedia() == nil)
  }
}
