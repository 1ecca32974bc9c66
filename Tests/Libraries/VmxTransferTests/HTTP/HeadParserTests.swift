import Testing

@testable import VmxTransfer

@Suite struct HeadParserTests {
  private func parse(_ lines: String..., limit: Int = 1000) -> (HeadParser, HeadParser.Step?) {
    var parser = HeadParser(limit: limit)
    var step: HeadParser.Step?
    for line in lines { step = parser.take(Array("\(line)\r\n".utf8)) }
    return (parser, step)
  }

  @Test func `a head is complete with its empty line`() {
    let (parser, step) = parse("HTTP/1.1 200 OK", "Content-Length:  5 ", "X-A: 1", "x-a: 2", "")
    #expect(step == .complete)
    #expect(parser.head?.status == 200)
    #expect(parser.head?.contentLength == 5)
    #expect(parser.head?["x-a"] == "1, 2")
  }

  @Test func `informational answers are passed over`() {
    let (parser, step) = parse("HTTP/1.1 103 Early", "Link: a", "", "HTTP/2 206", "")
    #expect(step == .complete)
    #expect(parser.head?.status == 206)
    #expect(parser.head?.fields.isEmpty == true)
  }

  @Test func `a trailer joins the head`() {
    let (parser, _) = parse("HTTP/1.1 200 OK", "", "Repr-Digest: x")
    #expect(parser.head?["repr-digest"] == "x")
  }

  @Test func `folded lines go on with the field before`() {
    #expect(parse("HTTP/1.1 200 OK", "A: b", "  c", "").0.head?["a"] == "b c")
  }

  @Test func `lines that are not of ASCII are taken apart as well`() {
    let (parser, _) = parse(
      "HTTP/1.1 200 \u{C4}h", "X-\u{C4}: \t f\u{FC}nf ", " \u{DF}", "b:\t1 ", "")
    let head = parser.head
    #expect(head?.status == 200)
    #expect(head?.fields.map(\.name) == ["x-\u{E4}", "b"])
    #expect(head?.fields.map(\.value) == ["f\u{FC}nf \u{DF}", "1"])
  }

  @Test func `headers without an end do end`() {
    #expect(parse("HTTP/1.1 200 OK", "A: 0123456789", limit: 25).1 == .tooLarge)
  }

  @Test(arguments: ["ICY 200 OK", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 abc OK", ""])
  func `what is no HTTP is malformed`(_ line: String) {
    #expect(parse(line).1 == .malformed)
  }

  @Test func `two lengths that differ contradict each other`() {
    let (parser, _) = parse("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 6", "")
    #expect(parser.head?.contradictsItself == true)
    let (same, _) = parse("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 5", "")
    #expect(same.head?.contentLength == 5)
  }

  @Test(arguments: [
    ("1.0", nil, true), ("1.1", nil, true), ("1.1", "chunked", false), ("2", nil, false),
  ])
  func `it knows where only the connection tells the end`(
    _ version: String, _ coding: String?, _ expected: Bool
  ) {
    let fields = coding.map { [ResponseHead.Field(name: "transfer-encoding", value: $0)] } ?? []
    let head = ResponseHead(version: version, status: 200, fields: fields)
    #expect(head.endsWithConnection == expected)
  }
}
