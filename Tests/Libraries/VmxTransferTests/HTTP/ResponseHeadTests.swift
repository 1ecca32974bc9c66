import Testing
import VmxModel

@testable import VmxTransfer

struct ResponseHeadTests {
  private func head(_ lines: String..., ending: String = "") throws -> ResponseHead {
    let server = try RawServer((lines + ["", ending]).joined(separator: "\r\n"))
    return try server.head()
  }

  @Test func `fields of one name are joined, and names are case-insensitive`() throws {
    let head = try head("HTTP/1.1 200 OK", "Content-Length:  0 ", "X-A: 1", "x-a: 2")
    #expect(head.status == 200)
    #expect(head.version == "1.1")
    #expect(head.contentLength == 0)
    #expect(head["x-a"] == "1, 2")
  }

  @Test func `informational responses are skipped`() throws {
    let head = try head(
      "HTTP/1.1 103 Early", "Link: a", "", "HTTP/1.1 206", "Content-Length: 0")
    #expect(head.status == 206)
    #expect(head["link"] == nil)
  }

  @Test func `a trailer is merged into the head`() throws {
    let head = try head(
      "HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Trailer: Repr-Digest",
      ending: "3\r\nabc\r\n0\r\nRepr-Digest: x\r\n\r\n")
    #expect(head["repr-digest"] == "x")
  }

  @Test func `folded lines continue the previous field`() throws {
    #expect(try head("HTTP/1.1 200 OK", "A: b", "  c", "Content-Length: 0")["a"] == "b c")
  }

  @Test func `non-ASCII values are kept`() throws {
    let head = try head("HTTP/1.1 200 \u{C4}h", "X-A: \t f\u{FC}nf ", "b:\t1 ", "Content-Length: 0")
    #expect(head["x-a"] == "f\u{FC}nf")
    #expect(head["b"] == "1")
  }

  @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
  func `the version is that of the response`(_ version: String) throws {
    let head = try head("\(version) 404 No", "Content-Length: 0")
    #expect(version == "HTTP/\(head.version)")
    #expect(head.status == 404)
  }

  @Test func `a value beyond the header limit is refused, and so are endless headers`() throws {
    let long = String(repeating: "0123456789", count: 30)
    for lines in [["A: \(long)"], (0..<50).map { "A\($0): b" }] {
      let server = try RawServer(
        (["HTTP/1.1 200 OK"] + lines + ["", ""]).joined(separator: "\r\n"))
      #expect(try server.end(headerLimit: 200) == .malformedHead("headers without an end"))
    }
  }

  @Test(arguments: ["ICY 200 OK", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 abc OK", "", "A: b"])
  func `a response that is not HTTP is a protocol error`(_ line: String) throws {
    let end = try RawServer("\(line)\r\nA: b\r\n\r\n").end()
    let error = end.error("u", hasHead: false, held: (0, nil), TransferSettings())
    #expect([.protocolBroken, .netReset].contains(error.code), "\(end)")
    #expect(error.isTransient)
  }

  @Test func `two different lengths contradict each other`() {
    func head(_ lengths: String...) -> ResponseHead {
      let fields = lengths.map { ResponseHead.Field(name: "content-length", value: $0) }
      return ResponseHead(version: "1.1", status: 200, fields: fields)
    }
    #expect(head("5", "6").contradiction != nil)
    #expect(head("5", "5").contentLength == 5)
    #expect(head("5", "5").contradiction == nil)
  }

  @Test(arguments: [
    ("1.0", nil, false), ("1.1", nil, false), ("1.1", "chunked", true), ("2", nil, false),
  ])
  func `hasFramedEnd is false if only the connection or the stream marks the end`(
    _ version: String, _ coding: String?, _ expected: Bool
  ) {
    let fields = coding.map { [ResponseHead.Field(name: "transfer-encoding", value: $0)] } ?? []
    let head = ResponseHead(version: version, status: 200, fields: fields)
    #expect(head.hasFramedEnd == expected)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Tue, 19 Jan 2038 03:14:07 GMT", 2_147_483_647),
    ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ("Fri, 01 Jan 1960 00:00:00 GMT", -315_619_200),
  ])
  func `dates of all three forms are read, within and beyond 32 bits`(_ text: String, _ time: Int64)
  {
    #expect(Timestamp(httpDate: text) == Timestamp(seconds: time))
  }

  @Test(arguments: [
    "", "120", "soon", "Sun, 32 Jun 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:99:37 GMT", "-1",
  ])
  func `other texts are not dates`(_ text: String) {
    #expect(Timestamp(httpDate: text) == nil)
  }

  @Test(arguments: [
    ("120", 120_000), ("0", nil), ("86401", 86_400_000), ("9223372036854775807", 86_400_000),
    ("99999999999999999999", 86_400_000),
    ("Sun, 06 Nov 1994 08:50:37 GMT", 60_000), ("Sun, 06 Nov 1994 08:48:37 GMT", nil),
    ("Tue, 19 Jan 2100 00:00:00 GMT", 86_400_000), ("soon", nil), ("-5", nil), ("", nil),
  ])
  func `Retry-After is bounded, and its date is relative to the server's`(
    _ value: String, _ expected: Int64?
  ) {
    let fields = [("retry-after", value), ("date", "Sun, 06 Nov 1994 08:49:37 GMT")].map {
      ResponseHead.Field(name: $0, value: $1)
    }
    let head = ResponseHead(version: "1.1", status: 503, fields: fields)
    #expect(head.retryAfter(now: Timestamp(seconds: 0), cap: 86_400_000) == expected)
  }
}
