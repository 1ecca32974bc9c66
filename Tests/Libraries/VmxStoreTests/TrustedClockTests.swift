import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct TrustedClockTests {
  private struct Fixed: WallClock {
    let now: Timestamp
    init(_ text: String) { now = Timestamp(text) ?? Timestamp(milliseconds: 0) }
  }

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  private func store(_ clock: any WallClock) throws -> LibraryStore {
    try LibraryStore.open(LibraryHome(scratch.path.appending("home")), clock: clock)
  }

  private func write(_ clock: any WallClock, _ id: String, added: String? = nil) throws {
    try store(clock).update(.soon) { transaction in
      var fields = JSONObject()
      fields.append("added", added)
      fields.append("expires", added)
      transaction.write(StoredRecord(kind: .favourite, id: id, fields: fields))
    }
  }

  /// Opens the store with a clock of the system, as a tool does.
  private func clock(_ text: String) throws -> (clock: TrustedClock, isCorrected: Bool) {
    let clock = TrustedClock(Fixed(text))
    return (clock, clock.trust(try store(clock)))
  }

  // Regression: a film removed while the clock stood at 1970 was purged at once when it was right
  // again.
  @Test(arguments: ["1970-01-01T00:05:00Z", "2026-12-01T10:00:00Z"])
  func `a run with a clock behind the last line counts from that line`(text: String) throws {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    let clock = TrustedClock(Fixed(text))
    #expect(clock.trust(try store(clock)))
    #expect(clock.isCorrected)
    #expect(try clock.now == time("2026-12-20T10:00:00Z"))
    #expect(!clock.trust(try store(clock)))
  }

  @Test func `a clock that is not behind is not corrected, nor one without any line`() throws {
    #expect(try !clock("1970-01-01T00:05:00Z").isCorrected)
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    #expect(try !clock("2026-12-20T09:30:00Z").isCorrected)
    #expect(try !clock("2027-12-20T10:00:00Z").isCorrected)
  }

  // Regression: lines of a night a year ahead were believed for ever.
  @Test func `a server casts doubt on a clock that is ahead, also for the runs after it`() throws {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    let (clock, isCorrected) = try clock("2027-12-21T04:00:00Z")
    #expect(!isCorrected)
    clock.receive(witness: try time("2026-12-21T04:00:00Z"))
    #expect(try clock.now == time("2026-12-20T10:00:00Z"))
    #expect(try clock.settle() != nil)
    let next = try self.clock("2027-12-21T04:10:00Z")
    #expect(next.isCorrected)
    #expect(throws: StoreError.self) {
      try store(next.clock).snapshot().checkClock(now: next.clock.system.now)
    }
    // A year later that time has come.
    #expect(try !self.clock("2027-12-23T04:00:00Z").isCorrected)
  }

  @Test func `a second server that agrees dispels the doubt`() throws {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    let (clock, _) = try clock("2026-12-21T04:00:00Z")
    clock.receive(witness: try time("2026-12-25T00:00:00Z"))
    #expect(clock.isCorrected)
    clock.receive(witness: try time("2026-12-21T05:00:00Z"))
    clock.receive(witness: try time("2026-12-25T00:00:00Z"))
    #expect(!clock.isCorrected)
    #expect(try clock.settle() == nil)
  }

  @Test func `a newest line that is ahead itself is not trusted once a server contradicts it`()
    throws
  {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    try write(Fixed("2027-12-21T04:00:00Z"), "b")
    let (clock, _) = try clock("1970-01-01T00:05:00Z")
    #expect(try clock.now == time("2027-12-21T04:00:00Z"))
    clock.receive(witness: try time("2026-12-22T04:00:00Z"))
    #expect(try clock.now == time("2026-12-20T10:00:00Z"))
  }

  // Regression: 'added' stayed in the next year, also after 'vmx doctor --mend'.
  @Test func `a confirmed clock corrects the times that a wrong one wrote`() throws {
    try write(Fixed("1970-01-01T00:05:00Z"), "first", added: "1970-01-01T00:05:00.000Z")
    try write(Fixed("2026-12-20T10:00:00Z"), "right", added: "2026-12-20T10:00:00.000Z")
    try write(Fixed("2027-12-21T04:00:00Z"), "ahead", added: "2027-12-21T04:00:00.000Z")
    let (clock, isCorrected) = try clock("2026-12-22T04:00:00Z")
    #expect(isCorrected)
    let seqs = try store(clock).snapshot().seqs
    clock.receive(witness: try time("2026-12-22T04:00:05Z"))
    #expect(try clock.settle() != nil)
    let snapshot = try store(clock).snapshot()
    // Undo compares the number of the line.
    #expect(snapshot.seqs == seqs)
    func added(_ id: String) -> String? {
      snapshot.record(.favourite, id)?.fields["added"]?.string
    }
    #expect(added("first") == "2026-12-22T04:00:00.000Z")
    #expect(added("right") == "2026-12-20T10:00:00.000Z")
    #expect(added("ahead") == "2026-12-22T04:00:00.000Z")
    #expect(
      snapshot.record(.favourite, "ahead")?.fields["expires"]?.string == "2027-12-21T04:00:00.000Z")
    #expect(throws: Never.self) { try snapshot.checkClock(now: clock.now) }
    #expect(try clock.settle() == nil)
  }

  @Test func `a server without a clock is no witness`() throws {
    try write(Fixed("2026-12-20T10:00:00Z"), "a")
    let (clock, _) = try clock("2026-12-21T04:00:00Z")
    clock.receive(witness: Timestamp(seconds: 5))
    #expect(!clock.isCorrected)
  }

  @Test func `a part waits no year for a time that a wrong clock set`() throws {
    let correction = TimeCorrection(now: try time("2026-12-22T04:00:00Z"))
    var part = JSONObject()
    part.append("until", "2027-12-21T05:00:00.000Z")
    part.append("at", "partial")
    var fields = JSONObject()
    fields.append("parts", .array([.object(part)]))
    let ahead = correction.corrected(fields, of: .episode, line: try time("2027-12-21T04:00:00Z"))
    #expect(
      ahead["parts"]?.array?.first?.object?["until"]?.string == "2026-12-22T04:00:00.000Z")
    let right = correction.corrected(fields, of: .episode, line: try time("2026-12-21T04:00:00Z"))
    #expect(right == fields)
  }
}

extension StoreSnapshot {
  /// The numbers of the lines of all favourites.
  fileprivate var seqs: [String: Int64] {
    var seqs: [String: Int64] = [:]
    records(of: .favourite) { record in
      seqs[record.id] = record.seq
      return true
    }
    return seqs
  }
}
