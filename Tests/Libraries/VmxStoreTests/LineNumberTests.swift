import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

/// Numeric fields in lines and headers that an editor has changed.
struct LineNumberTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func findings() -> [Finding] {
    StoreDiagnosis(fixture.home, options: StoreOptions(), clock: fixture.clock) { _ in .free }
      .examine().findings
  }

  private func header(_ key: String, _ value: Int64, instead: Int64) -> String {
    StoreFixture.header.replacing("\"\(key)\":\(instead)", with: "\"\(key)\":\(value)")
  }

  @Test(arguments: [Int64.max, 999_999_999_999_999_999])
  func `a number too large is refused, told of, and mended`(number: Int64) throws {
    try fixture.write([
      StoreFixture.line("a/1", seq: 11), StoreFixture.line("a/2", seq: Int(number)),
    ])
    let store = try fixture.open()
    #expect(throws: StoreError.numbersExhausted(fixture.home.store)) {
      try store.update(.soon) { $0.write(try .sample("a/3")) }
    }
    let found = findings()
    #expect(found.contains { $0.check == .order && $0.code == .storeDamaged && $0.isRepairable })
    #expect(StoreRepair(store) { _ in .free }.repair(found) == [])
    #expect(findings().allSatisfy { $0.severity != .problem })
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/3")) } < 100)
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2", "a/3"])
  }

  @Test func `a floor too large is mended`() throws {
    let line = StoreFixture.line("a/1", seq: 11)
    try fixture.folder.write(
      "home/store.jsonl", header("seq_floor", .max, instead: 10) + "\n" + line + "\n")
    let store = try fixture.open()
    #expect(throws: StoreError.numbersExhausted(fixture.home.store)) {
      try store.update(.soon) { $0.write(try .sample("a/3")) }
    }
    #expect(StoreRepair(store) { _ in .free }.repair(findings()) == [])
    #expect(try fixture.open().update(.soon) { $0.write(try .sample("a/3")) } == 13)
  }

  @Test(arguments: [Int64.max, -1, .min])
  func `any epoch and any negative number can be compacted`(number: Int64) throws {
    let line = StoreFixture.line("a/1", seq: Int(min(number, 11)))
    try fixture.folder.write(
      "home/store.jsonl", header("epoch", number, instead: 3) + "\n" + line + "\n")
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/2")) }
    try store.writer.compactNow()
    #expect(try store.snapshot().header?.epoch == 1)
    #expect(try fixture.open().snapshot().ids() == ["a/1", "a/2"])
  }

  @Test func `a time to come is mended, so that the clock is believed again`() throws {
    let later = StoreFixture.line("a/1", seq: 11).replacing("2023-11-14", with: "2029-11-14")
    try fixture.write([later, StoreFixture.line("a/2", seq: 12)])
    let found = findings()
    #expect(found.contains { $0.code == .clockSuspect && $0.isRepairable })
    let store = try fixture.open()
    #expect(throws: StoreError.self) { try store.snapshot().checkClock(now: fixture.clock.now) }
    #expect(StoreRepair(store) { _ in .free }.repair(found) == [])
    try fixture.open().snapshot().checkClock(now: fixture.clock.now)
    #expect(findings().allSatisfy { $0.severity != .problem })
    #expect(try fixture.lines().last == StoreFixture.line("a/2", seq: 12))
  }
}
