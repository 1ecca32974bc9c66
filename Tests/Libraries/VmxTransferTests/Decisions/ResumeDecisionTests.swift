import Testing
import VmxLibrary
import VmxModel

@testable import VmxTransfer

@Suite struct ResumeDecisionTests {
  private static let known = SourceVersion(validators: Validators(etag: "\"a\""), total: 1000)
  private static let conditional = RangePlan(condition: .version("\"a\""), start: 400)
  private static let bare = RangePlan(condition: .range, start: 400)
  private static let probing = RangePlan(condition: .range, start: 300, overlap: 100)

  private func decide(
    _ status: Int, _ fields: [String: String], _ plan: RangePlan,
    known: SourceVersion = known
  ) -> ResumeDecision {
    let head = ResponseHead(
      version: "1.1", status: status,
      fields: fields.map { ResponseHead.Field(name: $0.key, value: $0.value) })
    return ResumeDecision.of(head, to: plan, known: known, held: 400)
  }

  @Test func `a matching range is accepted`() {
    let fields = ["content-range": "bytes 400-999/1000", "etag": "\"a\"", "content-length": "600"]
    #expect(decide(206, fields, Self.conditional) == .append(start: 400, end: 1000))
  }

  @Test func `Content-Range has no meaning for a whole response of the right length`() {
    for (length, isWhole) in [("1000", true), ("600", false), (nil, false)] {
      var fields = ["content-range": "bytes 400-999/1000", "etag": "\"a\""]
      fields["content-length"] = length
      let decision = decide(200, fields, .fullFile)
      #expect((decision == .startOver(.nothingKept)) == isWhole)
    }
  }

  @Test func `a range that ends early is accepted up to its end`() {
    let fields = ["content-range": "bytes 400-499/1000", "etag": "\"a\""]
    #expect(decide(206, fields, Self.conditional) == .append(start: 400, end: 500))
  }

  @Test func `a range beyond the requested end is refused, and one up to it accepted`() {
    let plan = RangePlan(condition: .version("\"a\""), start: 400, end: 600)
    for (last, isAccepted) in [(599, true), (600, false), (999, false)] {
      let fields = ["content-range": "bytes 400-\(last)/1000", "etag": "\"a\""]
      let decision = decide(206, fields, plan)
      #expect((decision == .append(start: 400, end: 600)) == isAccepted, "\(last)")
      if case .refuse = decision { #expect(!isAccepted) }
    }
  }

  @Test(arguments: [
    ["etag": "\"a\""], ["content-range": "bytes 399-999/1000"],
    ["content-range": "bytes 401-999/1000"], ["content-range": "bytes */1000"],
    ["content-range": "bytes 400-999/1000", "content-length": "599"],
    ["content-range": "bytes 400-999/1000", "content-encoding": "gzip"],
    ["content-type": "multipart/byteranges; boundary=x"],
  ])
  func `a range that does not match is refused`(_ fields: [String: String]) {
    guard case .refuse = decide(206, fields, Self.conditional) else {
      Issue.record("not refused")
      return
    }
  }

  @Test(arguments: [
    ["content-range": "bytes 400-999/1000", "etag": "\"b\""],
    ["content-range": "bytes 400-998/999", "etag": "\"a\""],
  ])
  func `a range of another version is discarded`(_ fields: [String: String]) {
    #expect(decide(206, fields, Self.conditional) == .abandon(.changed))
  }

  @Test func `a range that was not requested is refused`() {
    let fields = ["content-range": "bytes 0-998/1000", "etag": "\"a\""]
    guard case .refuse = decide(206, fields, .fullFile) else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `a range of all bytes is the whole, although none was requested`() {
    let fields = ["content-range": "bytes 0-999/1000", "etag": "\"a\""]
    #expect(decide(206, fields, .fullFile) == .startOver(.nothingKept))
  }

  @Test(arguments: [
    ["content-range": "bytes 400-999/1000", "etag": "\"a\""],
    ["content-range": "bytes 400-999/1000", "etag": "\"b\""],
    ["content-length": "600", "etag": "\"a\""], ["content-length": "600"],
  ])
  func `a range with the status of the whole is refused`(_ fields: [String: String]) {
    for plan in [Self.conditional, Self.bare] {
      guard case .refuse = decide(200, fields, plan) else {
        Issue.record("not refused")
        continue
      }
    }
  }

  @Test func `a whole with its own Content-Range is the whole`() {
    let fields = ["content-range": "bytes 0-999/1000", "content-length": "1000"]
    #expect(decide(200, fields, .fullFile) == .startOver(.nothingKept))
  }

  @Test func `several ranges with a Content-Range are refused`() {
    let fields = [
      "content-range": "bytes 400-999/1000", "etag": "\"a\"",
      "content-type": "multipart/byteranges; boundary=x",
    ]
    guard case .refuse = decide(206, fields, Self.conditional) else {
      Issue.record("not refused")
      return
    }
  }

  @Test(arguments: [conditional, bare])
  func `a range without the ETag of its version is refused`(_ plan: RangePlan) {
    guard case .refuse = decide(206, ["content-range": "bytes 400-999/1000"], plan) else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `a range may omit the date that it was requested with`() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let known = SourceVersion(
      validators: Validators(lastModified: date, date: "Mon, 07 Nov 1994 08:49:37 GMT"),
      total: 1000)
    let plan = RangePlan(condition: .version(date), start: 400)
    let fields = ["content-range": "bytes 400-999/1000"]
    #expect(decide(206, fields, plan, known: known) == .append(start: 400, end: 1000))
  }

  @Test func `an overlap replaces a validator`() {
    let fields = ["content-range": "bytes 300-999/1000"]
    let known = SourceVersion(total: 1000)
    #expect(decide(206, fields, Self.probing, known: known) == .append(start: 300, end: 1000))
  }

  @Test func `the whole of the same version is discarded for one attempt without If-Range`() {
    let fields = ["etag": "\"a\"", "content-length": "1000"]
    #expect(decide(200, fields, Self.conditional) == .abandon(.rangeAlone))
  }

  @Test func `a second whole response means that ranges are unsupported`() {
    let fields = ["etag": "\"a\"", "content-length": "1000"]
    #expect(decide(200, fields, Self.bare) == .startOver(.noRanges))
  }

  @Test(arguments: [
    ["etag": "\"b\"", "content-length": "1000"], ["etag": "\"a\"", "content-length": "999"],
    ["content-length": "1000"],
  ])
  func `the whole of another version is accepted from its first byte`(_ fields: [String: String]) {
    #expect(decide(200, fields, Self.conditional) == .startOver(.changed))
  }

  @Test func `a changed digest indicates another version`() {
    let zeros = "sha-256=:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=:"
    let ones = "sha-256=:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=:"
    let known = SourceVersion(total: 1000, published: DigestField.digest(.sha256, in: ones))
    let fields = ["content-range": "bytes 300-999/1000", "repr-digest": zeros]
    #expect(decide(206, fields, Self.probing, known: known) == .abandon(.changed))
  }

  @Test func `416 with the held bytes as the total means that all is held`() {
    #expect(decide(416, ["content-range": "bytes */400"], Self.bare, known: .init()) == .complete)
  }

  @Test(arguments: [[:], ["content-range": "bytes */399"], ["content-range": "bytes */500"]])
  func `any other 416 means that the held bytes are wrong`(_ fields: [String: String]) {
    #expect(decide(416, fields, Self.bare, known: .init()) == .abandon(.discard))
  }

  @Test func `a file that ends within the overlap is another version`() {
    let fields = ["content-range": "bytes 300-349/350"]
    let decision = decide(206, fields, Self.probing, known: SourceVersion())
    #expect(decision == .abandon(.changed))
  }
}
