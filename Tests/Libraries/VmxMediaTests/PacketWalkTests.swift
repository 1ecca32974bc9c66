import Testing
import VmxMedia

struct PacketWalkTests {
  /// Returns packets with a sync byte, optionally with other bytes before and after it.
  private func packets(_ count: Int, length: Int = 188, lead: Int = 0) -> [UInt8] {
    (0..<count).flatMap { number -> [UInt8] in
      let body = [UInt8](repeating: UInt8(number % 60 + 2), count: length - lead - 1)
      return [UInt8](repeating: 1, count: lead) + [0x47] + body
    }
  }

  @Test(arguments: [(188, 0), (192, 4), (204, 0)])
  func `packets of each form are known`(_ length: Int, _ lead: Int) throws {
    for count in [2, 6, 3000] {
      #expect(try verdict(on: packets(count, length: length, lead: lead)) == .intact)
    }
  }

  @Test(arguments: [(188, 0), (192, 4), (204, 0)])
  func `an incomplete last packet is a truncation`(_ length: Int, _ lead: Int) throws {
    let stream = packets(3000, length: length, lead: lead)
    for missing in 1..<length {
      let kind = try fault(in: stream.dropLast(missing))?.kind
      #expect(kind == .truncated(missing: Int64(missing)))
    }
  }

  @Test func `zeros at the end are found`() throws {
    for zeros in [940, 70_000, 300_000] {
      let stream = packets(3000).dropLast(zeros) + [UInt8](repeating: 0, count: zeros)
      #expect(try fault(in: stream)?.kind == .zeros)
    }
  }

  @Test func `a stream that continues differently after a joint is accepted`() throws {
    #expect(try verdict(on: packets(3000) + payload(50) + packets(3000)) == .intact)
  }

  @Test func `a long gap without packets is an error`() throws {
    let hole = [UInt8](repeating: 9, count: 188 * 2000)
    #expect(try fault(in: packets(2000) + hole + packets(2000))?.kind == .disorder)
  }

  @Test func `a web page after the packets is found`() throws {
    let stream = packets(600)
    #expect(try fault(in: stream + page)?.kind == .page)
    #expect(try fault(in: stream + page)?.offset == Int64(stream.count))
  }
}
