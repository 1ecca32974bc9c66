import Testing

@testable import VmxTransfer

@Suite struct RangeBalanceTests {
  private static let mebi: Int64 = 1 << 20

  /// Returns the bytes that the last of several connections keeps, given their missing bytes and
  /// rates.
  private func kept(_ loads: [(Int64, Int64?)], missing: Int64? = nil) -> Int64? {
    let loads = loads.map { RangeBalance.Load(remaining: $0.0, rate: $0.1) }
    let all = missing ?? loads.reduce(0) { $0 + $1.remaining }
    return loads.last.flatMap { RangeBalance(loads, missing: all).kept(by: $0) }
  }

  @Test func `a stalled connection keeps nothing`() {
    #expect(kept([(8 * Self.mebi, 2 * Self.mebi), (8 * Self.mebi, 3072)]) == 0)
    #expect(kept([(8 * Self.mebi, 2 * Self.mebi), (8 * Self.mebi, 0)]) == 0)
  }

  @Test func `a slower connection keeps what it can receive meanwhile`() {
    let kept = kept([(8 * Self.mebi, 3 * Self.mebi), (8 * Self.mebi, Self.mebi)])
    #expect(kept == 4 * Self.mebi)
  }

  @Test func `a connection that is nearly as fast is left alone`() {
    #expect(kept([(8 * Self.mebi, 3 * Self.mebi), (8 * Self.mebi, 2 * Self.mebi)]) == nil)
  }

  @Test func `a short delay does not justify another request`() {
    #expect(kept([(1024, Self.mebi), (300_000, Self.mebi)]) == nil)
  }

  @Test func `without a measurement, or alone, no connection is slow`() {
    #expect(kept([(8 * Self.mebi, 2 * Self.mebi), (8 * Self.mebi, nil)]) == nil)
    #expect(kept([(8 * Self.mebi, nil), (8 * Self.mebi, 3072)]) == nil)
    #expect(kept([(8 * Self.mebi, 0), (8 * Self.mebi, 0)]) == nil)
  }

  @Test func `a duplicate request is worthwhile only against a slow connection`() {
    func isWorth(_ rate: Int64?) -> Bool {
      RangeBalance.isWorthRacing(.init(remaining: Self.mebi, rate: rate), at: Self.mebi)
    }
    #expect(isWorth(3072))
    #expect(isWorth(0))
    #expect(!isWorth(Self.mebi / 2))
    #expect(!isWorth(nil))
  }
}
