import Testing
import VmxModel
import VmxTestSupport

struct ByteRangeTests {
  @Test func `a range is neither negative nor reversed`() {
    #expect(ByteRange(-5..<3) == ByteRange(0..<3))
    #expect(ByteRange(-5 ..< -2).isEmpty)
    #expect(ByteRange(3..<9).count == 6)
  }

  @Test func `adjacent or overlapping ranges are merged`() {
    #expect(set(0..<3, 3..<5).ranges == [ByteRange(0..<5)])
    #expect(set(0..<3, 7..<9, 2..<8).ranges == [ByteRange(0..<9)])
    #expect(set(7..<9, 0..<3).ranges == [ByteRange(0..<3), ByteRange(7..<9)])
    #expect(set(5..<5).ranges.isEmpty)
    #expect(set(2..<8, 3..<4).ranges == [ByteRange(2..<8)])
  }

  @Test func `a removal splits the range that contains it`() {
    var held = set(0..<10)
    held.remove(ByteRange(3..<5))
    #expect(held == set(0..<3, 5..<10))
    held.remove(ByteRange(0..<20))
    #expect(held.count == 0)
  }

  @Test func `gaps end at the requested length`() {
    #expect(set(2..<4, 8..<20).gaps(upTo: 10) == [ByteRange(0..<2), ByteRange(4..<8)])
    #expect(set(2..<4).gaps(upTo: 0).isEmpty)
    #expect(set().gaps(upTo: 5) == [ByteRange(0..<5)])
    #expect(set(0..<5).gaps(upTo: 5).isEmpty)
  }

  @Test func `a range is held only if all of it is`() {
    #expect(set(0..<5).contains(ByteRange(1..<5)))
    #expect(!set(0..<5, 6..<9).contains(ByteRange(4..<7)))
    #expect(set().contains(ByteRange(4..<4)))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `any changes agree with a list of single bytes`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var held = ByteRangeSet()
    var bytes = Set<Int64>()
    for _ in 0..<60 {
      let start = Int64.random(in: 0..<64, using: &random)
      let range = start..<Int64.random(in: start...64, using: &random)
      if Int.random(in: 0..<3, using: &random) > 0 {
        held.insert(ByteRange(range))
        bytes.formUnion(range)
      } else {
        held.remove(ByteRange(range))
        bytes.subtract(range)
      }
      #expect(Set(held.ranges.flatMap { $0.start..<$0.end }) == bytes)
      #expect(held.count == Int64(bytes.count))
      #expect(zip(held.ranges, held.ranges.dropFirst()).allSatisfy { $0.end < $1.start })
      #expect(held == ByteRangeSet(held.ranges.shuffled(using: &random)))
      let probe = ByteRange(range)
      #expect(held.contains(probe) == range.allSatisfy(bytes.contains))
      let gaps = held.gaps(upTo: 50)
      #expect(Set(gaps.flatMap { $0.start..<$0.end }) == Set(0..<50).subtracting(bytes))
    }
  }

  private func set(_ ranges: Range<Int64>...) -> ByteRangeSet {
    ByteRangeSet(ranges.map { ByteRange($0) })
  }
}
