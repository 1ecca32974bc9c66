/// Pauses between attempts: full jitter, so that many clients do not come back at one moment.
struct Backoff: Sendable {
  /// Longest first pause in milliseconds.
  let base: Int64
  /// Longest pause in milliseconds.
  let cap: Int64

  /// Milliseconds to wait after so many failures in a row, the first being 1: anything from 0 to
  /// the base doubled with each failure, up to the cap.
  func pause(
    afterFailures failures: Int, using random: inout some RandomNumberGenerator
  ) -> Int64 {
    Int64.random(in: 0...longest(afterFailures: failures), using: &random)
  }

  /// The longest that such a pause may be.
  func longest(afterFailures failures: Int) -> Int64 {
    let doublings = max(0, failures - 1)
    guard doublings < 32, base <= cap >> Int64(doublings) else { return cap }
    return base << Int64(doublings)
  }
}
