import Testing
import VmxModel

@testable import VmxLicence

@Suite struct LicenceRefreshScheduleTests {
  private static let now = Timestamp(seconds: 1_790_000_000)

  private static func record(
    _ name: String = "lic-01", seen minutes: Int64?, ends hours: Int64? = nil
  ) throws -> LicenceRecord {
    let text = LicenceFixtures.documents["01-valid.lcpl"] ?? ""
    var record = LicenceRecord(try LicenceDocument(Array(text.utf8)))
    record.local.id = name
    record.local.ends = hours.map { now.adding(milliseconds: $0 * 3_600_000) }
    record.seen = minutes.map { now.adding(milliseconds: -$0 * 60_000) }
    return record
  }

  private func isDue(_ record: LicenceRecord) -> Bool {
    LicenceRefreshSchedule(now: Self.now).isDue(record)
  }

  @Test func `a status that was never read is due`() throws {
    #expect(isDue(try Self.record(seen: nil)))
  }

  @Test func `a status is read daily, up to a tenth earlier or later`() throws {
    let names = (0..<200).map { "lic-\($0)" }
    #expect(try names.allSatisfy { !isDue(try Self.record($0, seen: 1295)) })
    #expect(try names.allSatisfy { isDue(try Self.record($0, seen: 1585)) })
    let half = try names.filter { isDue(try Self.record($0, seen: 1440)) }.count
    #expect((60...140).contains(half))
  }

  @Test func `on the last day before the end it is read hourly`() throws {
    #expect(isDue(try Self.record(seen: 70, ends: 23)))
    #expect(!isDue(try Self.record(seen: 50, ends: 23)))
    #expect(!isDue(try Self.record(seen: 70, ends: 25)))
  }

  @Test(arguments: [LicenceState.returned, .revoked])
  func `a finally ended licence is not checked`(state: LicenceState) throws {
    var record = try Self.record(seen: nil)
    record.state = state
    #expect(!isDue(record))
  }

  @Test func `a licence without a status document is not checked`() throws {
    var record = try Self.record(seen: nil)
    record.statusURL = nil
    #expect(!isDue(record))
  }

  @Test func `a last check in the future does not suppress the next one`() throws {
    #expect(isDue(try Self.record(seen: -3000)))
  }
}
