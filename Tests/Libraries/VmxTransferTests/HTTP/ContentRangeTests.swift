import Testing

@testable import VmxTransfer

@Suite struct ContentRangeTests {
  @Test(arguments: [
    ("bytes 0-99/200", ContentRange.sent(start: 0, end: 100, total: 200)),
    ("Bytes  5-5/6", .sent(start: 5, end: 6, total: 6)),
    ("bytes 0-99/*", .sent(start: 0, end: 100, total: nil)),
    ("bytes */200", .unsatisfied(total: 200)),
  ])
  func `a content range is read`(_ text: String, _ range: ContentRange) {
    #expect(ContentRange(text) == range)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-99", "bytes */*", "bytes 9-5/100", "bytes 0-100/100", "lines 0-9/10",
    "bytes 0-99/100 more", "bytes -5/10", "bytes 5-/10", "bytes +1-2/3", "bytes 1-2-3/4",
    "bytes 0-9223372036854775807/*", "bytes 0-99999999999999999999/*",
  ])
  func `an invalid content range is ignored`(_ text: String) {
    #expect(ContentRange(text) == nil)
  }
}
