import Testing
import VmxModel

@testable import VmxTransfer

@Suite struct RangeSplitTests {
  private static let mebi: Int64 = 1 << 20

  private func cut(_ start: Int64, _ end: Int64) -> Int64? {
    ByteRange(start * Self.mebi..<end * Self.mebi).split(least: Self.mebi)
      .map { $0 / Self.mebi }
  }

  @Test(
    arguments: [[0, 100, 48], [3, 103, 52], [1, 9, 4], [0, 8, 4], [2, 12, 8]] as [[Int64]])
  func `a large rest is split at the segment boundary next to its middle`(_ given: [Int64]) {
    #expect(cut(given[0], given[1]) == given[2])
  }

  @Test func `a small rest is split in its middle`() {
    #expect(cut(1, 7) == 4)
    #expect(cut(5, 7) == 6)
  }

  @Test func `halves below the minimum are not split`() {
    #expect(cut(5, 6) == nil)
    #expect(ByteRange(0..<2 * Self.mebi - 1).split(least: Self.mebi) == nil)
  }
}
