import SystemPackage
import Testing
import VmxModel
import VmxStore
import VmxTestSupport

struct TrustedClockTests {
  private struct Fixed: WallClock {
    let now: Timestamp
    init(_ text: String) { now = Timestamp(text) ?? Timestamp(milliseconds: 0) }
  }

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func store(_ clock: any WallClock) throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  private func write(_ clock: any WallClock, _ id: String) throws {
    try store(clock).update(.soon) { transaction in
      transaction.write(StoredRecord(kind: .favourite, id: id, fields: JSONObject()))
    }
  }

  // Regression: a film removed while the clock stood at 1970 was purged at once when it was right
  // again.
  @Test func `a run at 1970 counts from the newest line`() throws {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    let clock = TrustedClock(Fixed("1970-01-01T00:05:00Z"))
    #expect(clock.trust(try store(clock)))
    #expect(clock.isCorrected)
    #expect(clock.now == Timestamp("2026-12-20T10:00:00Z"))
    #expect(!clock.trust(try store(clock)))
  }

  @Test func `a possible time is not corrected, nor a clock without any line`() throws {
    let empty = TrustedClock(Fixed("1970-01-01T00:05:00Z"))
    #expect(!empty.trust(try store(empty)))
    try write(Fixed("2027-12-20T10:00:00Z"), "a")
    let clock = TrustedClock(Fixed("2026-12-20T10:00:00Z"))
    #expect(!clock.trust(try store(clock)))
    #expect(clock.now == Timestamp("2026-12-20T10:00:00Z"))
  }
}
