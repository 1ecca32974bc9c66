import Testing
import VmxJSON
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct TransactionLinesTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private static let open = #","txn":"aa""#
  private static let close = #","txn":"aa","commit":true"#

  private func ids() throws -> [String] { try fixture.open().snapshot().ids() }

  private func walked(_ id: String) throws -> Bool {
    let snapshot = try fixture.open().snapshot()
    guard let image = snapshot.image else { return false }
    let reader = RecordReader(image: image, parser: .init())
    let key = RecordKey(kind: .episode, id: id)
    return reader.last(key, before: image.bound, RecordReader.episode) != nil
  }

  @Test func `lines of a finished transaction count`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, marks: Self.open),
      StoreFixture.line("a/2", seq: 12, marks: Self.close),
    ])
    #expect(try ids() == ["a/1", "a/2"])
    #expect(try walked("a/1") && walked("a/2"))
  }

  @Test func `lines of an unfinished one at the end count for nothing and are cut`() throws {
    try fixture.write([
      StoreFixture.line("a/0", seq: 11),
      StoreFixture.line("a/1", seq: 12, marks: Self.open),
      StoreFixture.line("a/2", seq: 13, marks: Self.open),
    ])
    #expect(try ids() == ["a/0"])
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("b/1")) } == 12)
    #expect(try fixture.lines().count == 3)
    #expect(try ids() == ["a/0", "b/1"])
  }

  @Test func `an unfinished one in the middle stays without effect`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, marks: Self.open),
      StoreFixture.line("b/1", seq: 12),
      StoreFixture.line("a/2", seq: 13, marks: #","txn":"bb""#),
      StoreFixture.line("a/3", seq: 14, marks: #","txn":"cc""#),
      StoreFixture.line("a/4", seq: 15, marks: #","txn":"cc","commit":true"#),
    ])
    #expect(try ids() == ["b/1", "a/3", "a/4"])
    #expect(try !walked("a/1") && !walked("a/2") && walked("a/3"))
  }

  @Test func `an unfinished one larger than the first look from the end is cut`() throws {
    let filler = String(repeating: "x", count: 5000)
    try fixture.write(
      [StoreFixture.line("a/0", seq: 11)]
        + (0..<20).map {
          StoreFixture.line("b/\($0)", seq: 12, marks: Self.open, #""title":"\#(filler)""#)
        }, torn: filler)
    #expect(try ids() == ["a/0"])
    try fixture.open().update(.soon) { $0.write(try .sample("c/1")) }
    #expect(try fixture.lines().count == 3)
  }

  @Test func `a broken line within a transaction costs that line only`() throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11, marks: Self.open),
      "{broken",
      StoreFixture.line("a/2", seq: 13, marks: Self.close),
    ])
    #expect(try ids() == ["a/1", "a/2"])
  }
}
