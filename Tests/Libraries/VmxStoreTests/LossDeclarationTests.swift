import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

// Regression: a home that was restored from a backup expected a disk that the user had declared
// lost since.
struct LossDeclarationTests {
  private static let lost = "00000000-0000-4000-8000-000000000001"
  private let fixture: StoreFixture

  init() throws {
    fixture = try StoreFixture()
  }

  private func store(_ fields: JSONObject = JSONObject()) throws -> LibraryStore {
    let store = try fixture.open()
    try store.update(.soon) {
      $0.write(StoredRecord(kind: .root, id: Self.lost, fields: fields))
    }
    return store
  }

  private func mark(
    in store: LibraryStore, lost isLost: Bool, at: Timestamp, library: String? = nil
  ) throws -> RootMark {
    let own = try #require(try store.snapshot().header?.library)
    return RootMark(root: "r-2", library: library ?? own).declaring(
      [Self.lost: LossDeclaration(isLost: isLost, at: at)])
  }

  @Test func `a mark keeps the later declarations about other roots`() throws {
    let mark = RootMark(root: "r-1", library: "l")
    let early = LossDeclaration(isLost: true, at: Timestamp(seconds: 1_800_000_000))
    let late = LossDeclaration(isLost: false, at: Timestamp(seconds: 1_800_000_001))
    let declared = mark.declaring([Self.lost: late, "r-1": early]).declaring([Self.lost: early])
    #expect(declared.declarations == [Self.lost: late])
    let path = fixture.folder.path("root.json")
    try fixture.folder.write("root.json", String(decoding: declared.bytes, as: UTF8.self))
    #expect(try RootMark(at: path)?.declarations == [Self.lost: late])
  }

  @Test func `a mark stays small enough to be read`() throws {
    var declarations: [String: LossDeclaration] = [:]
    for number in 0..<200 {
      declarations["00000000-0000-4000-8000-\(100_000_000_000 + number)"] = LossDeclaration(
        isLost: true, at: Timestamp(seconds: 1_800_000_000 + Int64(number)))
    }
    let mark = RootMark(root: Self.lost, library: Self.lost).declaring(declarations)
    #expect(mark.bytes.count < 4096)
    #expect(mark.declarations["00000000-0000-4000-8000-100000000199"] != nil)
  }

  @Test func `a later declaration of the same library is newer than the store`() throws {
    let store = try store()
    let (snapshot, now) = (try store.snapshot(), store.now)
    let later = try mark(in: store, lost: true, at: now)
    #expect(snapshot.newerDeclarations(in: later, now: now).keys.sorted() == [Self.lost])
    let foreign = try mark(in: store, lost: true, at: now, library: "another")
    #expect(snapshot.newerDeclarations(in: foreign, now: now).isEmpty)
    let ahead = try mark(in: store, lost: true, at: now.adding(milliseconds: 86_400_000))
    #expect(snapshot.newerDeclarations(in: ahead, now: now).isEmpty)
  }

  @Test func `the later of two declarations holds`() throws {
    let store = try store()
    let now = store.now
    try store.update(.soon) { transaction in
      let root = try #require(transaction.record(.root, Self.lost))
      transaction.write(root.declared(LossDeclaration(isLost: true, at: now)))
    }
    let snapshot = try store.snapshot()
    #expect(snapshot.lossDeclarations == [Self.lost: LossDeclaration(isLost: true, at: now)])
    let before = try mark(in: store, lost: false, at: now.adding(milliseconds: -1000))
    #expect(snapshot.newerDeclarations(in: before, now: now).isEmpty)
    let after = try mark(in: store, lost: false, at: now.adding(milliseconds: 1000))
    #expect(snapshot.newerDeclarations(in: after, now: now)[Self.lost]?.isLost == false)
  }

  @Test func `a loss that an earlier version recorded has the time of its line`() throws {
    let store = try store(JSONObject(distinct: [("lost", .bool(true))]))
    let record = try #require(try store.snapshot().record(.root, Self.lost))
    #expect(record.lossDeclaration?.isLost == true)
    #expect(record.lossDeclaration?.at == record.at)
  }
}
