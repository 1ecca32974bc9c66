import Testing

@testable import VmxSystem

@Suite struct RetryPauseTests {
  @Test func `pauses grow from 0.1 ms by half and stay at 10 ms`() {
    var pause = RetryPause()
    let lengths = (0..<16).map { _ in pause.next(jitter: 1) }
    #expect(lengths.prefix(3) == [100_000, 150_000, 225_000])
    #expect(lengths.suffix(3) == [10_000_000, 10_000_000, 10_000_000])
  }

  @Test func `jitter shortens a pause by at most half`() {
    var pause = RetryPause()
    let length = pause.next()
    #expect((50_000...100_000).contains(length))
  }
}
