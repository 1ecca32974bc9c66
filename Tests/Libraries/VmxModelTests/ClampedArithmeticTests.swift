import Testing

@testable import VmxModel

@Suite struct ClampedArithmeticTests {
  @Test(
    arguments: [
      (1, 2, 3), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min), (.max, .min, -1),
      (-5, 3, -2),
    ] as [(Int64, Int64, Int64)])
  func `a sum that overflows is clamped`(left: Int64, right: Int64, sum: Int64) {
    #expect(left.addingClamped(right) == sum)
    #expect(right.addingClamped(left) == sum)
  }

  @Test(
    arguments: [
      (3, 4, 12), (.max, 2, .max), (.max, -2, .min), (.min, -1, .max), (.min, 2, .min),
      (1 << 40, 3_600_000, 3_958_241_859_993_600_000), (0, .max, 0),
    ] as [(Int64, Int64, Int64)])
  func `a product that overflows is clamped`(
    left: Int64, right: Int64, product: Int64
  ) {
    #expect(left.multipliedClamped(by: right) == product)
    #expect(right.multipliedClamped(by: left) == product)
  }

  @Test func `a sequence is summed without an overflow`() {
    #expect([Int64]().clampedSum() == 0)
    #expect([Int64.max, 1, .max].clampedSum() == .max)
    #expect([1, 2, 3].clampedSum() == 6)
  }
}
