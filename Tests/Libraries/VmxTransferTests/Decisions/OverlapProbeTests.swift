import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct OverlapProbeTests {
  private let block = OverlapProbe.blockSize

  /// Returns a probe of a file in which these blocks consist of one repeated byte.
  private func probe(
    held blocks: Int64, extra: Int64 = 0, between: Int = 0, runs: Set<Int64> = []
  ) -> OverlapProbe? {
    OverlapProbe(held: blocks * block + extra, between: between) {
      (range: ByteRange) throws(Never) in
      runs.contains { $0 * block < range.end && range.start < ($0 + 1) * block }
    }
  }

  @Test func `both ends are fetched again`() {
    let probe = probe(held: 10, extra: 5)
    #expect(probe?.first == ByteRange(0..<block))
    #expect(probe?.last == ByteRange(9 * block + 5..<10 * block + 5))
  }

  @Test func `runs of one byte are skipped`() {
    let probe = probe(held: 10, runs: [0, 1, 9])
    #expect(probe?.first == ByteRange(2 * block..<3 * block))
    #expect(probe?.last == ByteRange(8 * block..<9 * block))
  }

  @Test func `a few bytes, or only runs, do not justify a probe`() {
    #expect(probe(held: 0, extra: OverlapProbe.leastHeld - 1) == nil)
    #expect(probe(held: 0, extra: OverlapProbe.leastHeld) != nil)
    #expect(probe(held: 8, runs: [0, 1, 2, 3, 4, 5, 6, 7]) == nil)
    #expect(probe(held: 8, runs: [0, 1, 3, 4, 5, 6, 7]) == nil)
  }

  @Test func `of less than eight blocks, the first and the last eighth are fetched again`() {
    let probe = probe(held: 2)
    #expect(probe?.first == ByteRange(0..<block / 4))
    #expect(probe?.last == ByteRange(block * 7 / 4..<block * 2))
  }

  @Test func `blocks between the ends are spread if there is space`() {
    #expect(probe(held: 8, between: 8)?.middle.count == 1)
    #expect(
      probe(held: 14, between: 2)?.middle == [
        ByteRange(5 * block..<6 * block), ByteRange(9 * block..<10 * block),
      ])
    #expect(probe(held: 14, between: 2, runs: [5])?.middle.count == 1)
    #expect(probe(held: 1000, between: 8)?.plans.probes.count == 9)
  }

  @Test func `the second request continues after its block`() throws {
    let plans = try #require(probe(held: 10)?.plans)
    #expect(plans.probes.map(\.rangeField) == ["bytes=0-65535"])
    #expect(plans.last.rangeField == "bytes=\(9 * block)-")
    #expect(plans.last.overlap == block)
    #expect(plans.last.ifRangeField == nil)
  }
}
