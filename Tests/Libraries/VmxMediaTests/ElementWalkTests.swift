import Testing
import VmxMedia

struct ElementWalkTests {
  @Test(arguments: [false, true])
  func `a stream is intact with and without declared lengths`(_ isOpen: Bool) throws {
    #expect(try verdict(on: MadeStream(isOpen: isOpen).bytes) == .intact)
  }

  @Test func `every truncation of a stream with lengths is found, with its size`() throws {
    let stream = MadeStream().bytes
    for missing in 1..<stream.count - 60 {
      #expect(
        try fault(in: stream.dropLast(missing))?.kind == .truncated(missing: Int64(missing)))
    }
  }

  @Test func `a live stream that ends within a block is truncated`() throws {
    let stream = MadeStream(isOpen: true).bytes
    #expect(try fault(in: stream.dropLast(10))?.kind == .truncated(missing: 10))
  }

  @Test(arguments: [false, true])
  func `zeros in place of a cluster are found`(_ isOpen: Bool) throws {
    let stream = MadeStream(isOpen: isOpen).bytes
    let zeros = [UInt8](repeating: 0, count: 330)
    #expect(try fault(in: stream.dropLast(330) + zeros)?.kind == .zeros)
  }

  @Test(arguments: [false, true])
  func `a web page after a stream is found`(_ isOpen: Bool) throws {
    let stream = MadeStream(isOpen: isOpen).bytes
    #expect(try fault(in: stream + page)?.kind == .page)
    #expect(try fault(in: stream + page)?.offset == Int64(stream.count))
  }

  @Test func `padding after a segment with a length is accepted`() throws {
    let stream = MadeStream().bytes
    let padding = [UInt8](repeating: 0, count: 512 - stream.count % 512)
    #expect(try verdict(on: stream + padding) == .intact)
    #expect(try fault(in: stream + padding + [0])?.kind == .trailing)
  }

  @Test func `a second stream may follow one without a length`() throws {
    let stream = MadeStream(isOpen: true).bytes
    #expect(try verdict(on: stream + stream) == .intact)
  }

  @Test func `a film that is joined with another one is damaged where that begins`() throws {
    let stream = MadeStream().bytes
    let fault = try fault(in: stream + stream)
    #expect(fault?.kind == .joined)
    #expect(fault?.offset == Int64(stream.count))
  }

  @Test func `other bytes after a segment with a length are trailing bytes`() throws {
    let stream = MadeStream().bytes
    #expect(try fault(in: stream + payload(700))?.kind == .trailing)
  }

  @Test func `a segment without video and audio is incomplete`() throws {
    #expect(try fault(in: MadeStream(clusters: []).bytes)?.kind == .incomplete(.media))
  }
}
