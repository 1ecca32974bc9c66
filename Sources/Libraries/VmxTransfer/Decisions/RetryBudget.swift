import VmxModel

/// Decides whether to retry a source after a failure, and the pause before.
///
/// It limits attempts without progress, not the time. A source that delivers new bytes each time is
/// retried. A source that is unreachable or asks for a long wait is given up early.
struct RetryBudget: Sendable {
  /// The decision after a failure.
  enum Verdict: Equatable {
    /// Retry after this many milliseconds, as the attempt of this number.
    case retry(after: Int64, attempt: Int)
    /// Give the source up.
    case giveUp
  }

  private let settings: TransferSettings
  private let backoff: Backoff
  private var count: AttemptCount
  private var unreachableSince: Int64?

  /// Creates the retry state of a source, given the number of bytes held.
  init(_ settings: TransferSettings, held: Int64) {
    self.settings = settings
    backoff = Backoff(base: settings.backoffBase, cap: settings.backoffCap)
    count = AttemptCount(limit: settings.attempts, held: held)
  }

  /// Records a successful attempt.
  mutating func succeeded(held: Int64) {
    count.holds(held)
    unreachableSince = nil
  }

  /// Resets the progress because the held bytes were of another version.
  mutating func startsOver() {
    count.startsOver()
  }

  /// Decides about a failure.
  ///
  /// - Parameters:
  ///   - held: the bytes held now.
  ///   - now: the wall clock, for a server's `Retry-After`.
  ///   - elapsed: milliseconds of the monotonic clock.
  mutating func verdict(
    after error: TransferError, held: Int64, now: Timestamp, elapsed: Int64,
    using random: inout some RandomNumberGenerator
  ) -> Verdict {
    count.holds(held, atLeast: worth(of: error))
    guard error.isPassing, count.fails(atMost: error.enoughAttempts) else { return .giveUp }
    let pause = backoff.pause(afterFailures: count.failures, using: &random)
    if case .unreachable = error {
      let since = unreachableSince ?? elapsed
      unreachableSince = since
      guard elapsed - since + pause < settings.unreachableTime else { return .giveUp }
    } else {
      unreachableSince = nil
    }
    guard case .rateLimited(_, _, let until?) = error else {
      return .retry(after: pause, attempt: count.failures)
    }
    let asked = max(0, until.milliseconds - now.milliseconds)
    guard asked <= settings.waitForPolicy else { return .giveUp }
    return .retry(after: asked + pause, attempt: count.failures)
  }

  /// The minimum gain, in bytes, that counts as progress. A stalled transfer gains a few bytes each
  /// time and would be retried for ever.
  private func worth(of error: TransferError) -> Int64 {
    guard case .stalled = error else { return 1 }
    return settings.stallBytesPerSecond.multipliedClamped(by: settings.stallTime) / 1000
  }
}
