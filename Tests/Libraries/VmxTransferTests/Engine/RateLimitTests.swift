import Testing

@testable import VmxTransfer

struct RateLimitTests {
  /// Returns the bytes that several requests receive in this many milliseconds, in pieces of 16
  /// KiB, each as soon as the limit admits it.
  private func bytes(
    at rate: Int64?, milliseconds: Int64, requests: Int
  ) -> [Int] {
    let limit = RateLimit(now: 0)
    limit.set(rate, now: 0)
    // The numbers of the waiting requests in the queue.
    var turns = [UInt64?](repeating: nil, count: requests)
    var got = [Int](repeating: 0, count: requests)
    for now in 0..<milliseconds {
      func receive(_ index: Int) {
        while got[index] < 100 << 20 {
          guard limit.admits(now: now) else {
            turns[index] = limit.nextQueuePosition()
            return
          }
          limit.consume(16 << 10)
          got[index] += 16 << 10
        }
      }
      for index in 0..<requests where turns[index] == nil { receive(index) }
      let waiting = (0..<requests).filter { turns[$0] != nil }
      for index in waiting.sorted(by: { turns[$0] ?? 0 < turns[$1] ?? 0 })
      where limit.admits(now: now) {
        turns[index] = nil
        receive(index)
      }
    }
    return got
  }

  @Test(arguments: [10_240, 100_000, 1_048_576, 20_000_000] as [Int64], [1, 3, 16])
  func `five seconds allow five times the rate, however shared`(rate: Int64, requests: Int) {
    let sum = bytes(at: rate, milliseconds: 5000, requests: requests).reduce(0, +)
    let wanted = Double(rate) * 5
    // One piece may always be admitted in advance.
    #expect(abs(Double(sum) - wanted) <= max(wanted * 0.05, 16_384))
  }

  @Test func `transfers that share a rate take turns`() {
    let got = bytes(at: 100_000, milliseconds: 5000, requests: 3)
    #expect((got.max() ?? 0) - (got.min() ?? 0) <= 16 << 10)
  }

  @Test func `without a rate everything passes immediately`() {
    #expect(bytes(at: nil, milliseconds: 1, requests: 2) == [100 << 20, 100 << 20])
  }

  @Test func `unused bytes are not accumulated`() {
    let limit = RateLimit(now: 0)
    limit.set(1000, now: 0)
    #expect(limit.admits(now: 3_600_000))
    limit.consume(251)
    #expect(limit.wait(now: 3_600_000) > 0)
    #expect(limit.wait(now: 3_600_003) == 0)
  }

  @Test func `a piece larger than the bucket is paid for afterwards`() {
    let limit = RateLimit(now: 0)
    limit.set(10_240, now: 0)
    #expect(limit.admits(now: 1))
    limit.consume(16_384)
    let wait = limit.wait(now: 1)
    #expect((1590...1605).contains(wait))
    #expect(!limit.admits(now: wait - 10))
    #expect(limit.admits(now: wait + 1))
  }

  @Test func `a changed rate does not charge for earlier bytes`() {
    let limit = RateLimit(now: 0)
    limit.set(1 << 30, now: 0)
    limit.consume(1 << 30)
    limit.set(1000, now: 10)
    #expect(limit.wait(now: 12) == 0)
    limit.set(nil, now: 20)
    limit.consume(1 << 30)
    #expect(limit.admits(now: 20))
  }
}
