import Testing

@testable import VmxTransfer

struct CodedBodyTests {
  private func body() throws -> CodedBody {
    let fields = [("content-encoding", "gzip"), ("transfer-encoding", "chunked")]
    let head = ResponseHead(
      version: "1.1", status: 200,
      fields: fields.map { ResponseHead.Field(name: $0.0, value: $0.1) })
    return try #require(CodedBody(head))
  }

  /// Regression: the line with the size grew with every byte that the server sent before its end.
  @Test func `an endless chunk extension is not stored`() throws {
    var body = try body()
    let piece = [UInt8](repeating: 0x61, count: 1 << 16)
    [UInt8]("4;".utf8).withUnsafeBytes { body.receive($0) }
    for _ in 0..<16 { piece.withUnsafeBytes { body.receive($0) } }
    for (_, value) in Mirror(reflecting: body).children {
      if let kept = value as? any Collection { #expect(kept.count < 256) }
    }
  }

  @Test func `the end is found after extensions, however the bytes arrive`() throws {
    let long = String(repeating: "f", count: 300)
    let framed = Array(
      "2;x=\(long)\r\nab\r\n3 ; y\r\nc\u{5}\0\r\n2\r\n\0\0\r\n0;z\r\n\r\n".utf8)
    for size in [1, 2, 7, framed.count] {
      var body = try body()
      body.decode(5)
      for start in stride(from: 0, to: framed.count, by: size) {
        framed[start..<min(start + size, framed.count)].withUnsafeBytes { body.receive($0) }
      }
      #expect(body.isComplete == true, "\(size)")
    }
  }
}
