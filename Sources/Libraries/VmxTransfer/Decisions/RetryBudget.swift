import VmxModel

/// Whether to ask a source again after a failure, and how long to wait before.
///
/// It spends attempts without progress, not time: a server that gives something new each time is
/// asked on; one that cannot be reached, or asks to wait for long, is left early.
struct RetryBudget: Sendable {
  /// What to do after a failure.
  enum Verdict: Equatable {
    /// Ask again after so many milliseconds, for the time of this number.
    case retry(after: Int64, attempt: Int)
    /// Give the source up.
    case giveUp
  }

  private let settings: TransferSettings
  private let backoff: Backoff
  private var count: AttemptCount
  private var unreachableSince: Int64?

  /// Patience with a source, given how many bytes are held already.
  init(_ settings: TransferSettings, held: Int64) {
    self.settings = settings
    backoff = Backoff(base: settings.backoffBase, cap: settings.backoffCap)
    count = AttemptCount(limit: settings.attempts, held: held)
  }

  /// An attempt went well as far as it went.
  mutating func succeeded(held: Int64) {
    count.holds(held)
    unreachableSince = nil
  }

  /// What was held is of another version: progress is counted from nothing.
  mutating func startsOver() {
    count.startsOver()
  }

  /// Judges a failure.
  ///
  /// - Parameters:
  ///   - held: bytes held now.
  ///   - now: the wall clock, by which a server's wait is told.
  ///   - elapsed: milliseconds of a clock that never jumps.
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

  /// Bytes that an attempt must have gained to count as progress: a trickle gains a few each
  /// time and would go on for ever.
  private func worth(of error: TransferError) -> Int64 {
    guard case .stalled = error else { return 1 }
    return settings.stallBytesPerSecond.multipliedClamped(by: settings.stallTime) / 1000
  }
}
