import Testing
import VmxModel
import VmxTestSupport

@testable import VmxTransfer

/// Servers that fail only for ranges, after the first response was cut.
@Suite struct RangeRefusalTests {
  private static let size = 2_000_000

  private func origin(_ rule: String) throws -> (origin: TestOrigin, bytes: [UInt8]) {
    let origin = try TestOrigin("/a.mp4 \(rule)", "/a.mp4 cut:1000000 times 1")
    return (origin, try origin.serve("a.mp4", Self.size))
  }

  @Test(arguments: [401, 403, 404, 410])
  func `a final refusal of the range costs one more request`(_ status: Int64) throws {
    let (origin, bytes) = try origin("status:\(status) on range")
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    // The log may contain the cut response after the next one.
    #expect(try origin.hits(atLeast: 3).compactMap(\.status).sorted() == [200, 200, status])
  }

  @Test(arguments: [
    "status:500 on range", "drop on range", "drop-reset on range", "hang on range",
    "no-http:100 on range", "status:500 on range etag-weak", "status:404 on range no-validators",
  ])
  func `the whole is fetched once ranges have failed as often as a source is tried`(
    _ rule: String
  ) throws {
    let (origin, bytes) = try origin(rule)
    var settings = quick
    settings.stallTime = 200
    settings.responseTime = 200
    try fetch(origin.job("a.mp4"), settings)
    #expect(try origin.partial() == bytes)
    #expect(!origin.scratch.exists("partial/a.part.aside"))
  }

  @Test func `an overloaded server costs no held byte`() throws {
    let (origin, bytes) = try origin("status:500 on range times 5")
    try fetch(origin.job("a.mp4"))
    #expect(try origin.partial() == bytes)
    let ranges = try origin.hits(atLeast: 9).filter { $0.status == 206 }
    #expect(ranges.count == 1)
    #expect(ranges.allSatisfy { $0.range?.hasPrefix("bytes=99") == true })
  }

  @Test(arguments: ["status:404 after 1", "status:500 after 1"])
  func `a source without the file keeps the held bytes and is given up`(_ rule: String) throws {
    let (origin, _) = try origin(rule)
    let code: ErrorCode = rule.contains("404") ? .httpGone : .httpFailing
    #expect(try failure(origin.job("a.mp4")) == code)
    let held = try origin.partial().count
    #expect(held >= 900_000)
    let count = rule.contains("404") ? 3 : 6
    #expect(try origin.hits(atLeast: count).count == count)
  }
}
