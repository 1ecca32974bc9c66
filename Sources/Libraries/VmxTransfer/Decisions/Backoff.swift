/// Exponential backoff with full jitter, so that many clients do not retry at the same moment.
struct Backoff: Sendable {
  /// The maximum of the first pause, in milliseconds.
  let base: Int64
  /// The maximum of any pause, in milliseconds.
  let cap: Int64

  /// A random pause in milliseconds after this many consecutive failures, the first being 1. It
  /// lies between 0 and the base, which doubles with each failure up to the cap.
  func pause(
    afterFailures failures: Int, using random: inout some RandomNumberGenerator
  ) -> Int64 {
    Int64.random(in: 0...longest(afterFailures: failures), using: &random)
  }

  /// The maximum of such a pause.
  func longest(afterFailures failures: Int) -> Int64 {
    let doublings = max(0, failures - 1)
    guard doublings < 32, base <= cap >> Int64(doublings) else { return cap }
    return base << Int64(doublings)
  }
}
