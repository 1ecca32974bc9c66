import VmxModel

/// Decides whether to retry a source after a failure, and how long to pause before the retry.
///
/// It limits attempts without progress, not the time. A source that delivers new bytes each time is
/// retried. An unreachable source is given up early. A source that requests a wait is given up
/// immediately, because the caller can wait without occupying a thread.
///
/// Only bytes never held before of this version are progress. A server that restarts each time and
/// cuts at the same offset makes none.
struct RetryBudget: Sendable {
  /// The decision after a failure.
  enum Verdict: Equatable {
    /// Retry after this many milliseconds, as the attempt of this number.
    case retry(after: Int64, attempt: Int)
    /// Give the source up.
    case giveUp
  }

  private let settings: TransferSettings
  /// The failures since the last progress.
  private var failures = 0
  /// The failures among them of kinds with a lower limit.
  private var limitedFailures = 0
  /// The most bytes held so far.
  private var best: Int64
  private var unreachableSince: Int64?

  /// Creates the retry state of a source, given the number of bytes held.
  init(_ settings: TransferSettings, best: Int64) {
    self.settings = settings
    self.best = best
  }

  /// Records a successful attempt.
  mutating func succeeded(held: Int64) {
    progresses(to: held, atLeast: 1)
    unreachableSince = nil
  }

  /// Resets the progress because the held bytes belonged to another version; the failures still
  /// count.
  mutating func reset() {
    best = 0
  }

  /// Decides about a failure.
  ///
  /// - Parameters:
  ///   - held: the bytes held now.
  ///   - elapsed: milliseconds of the monotonic clock.
  mutating func verdict(
    after error: TransferError, held: Int64, elapsed: Int64,
    using random: inout some RandomNumberGenerator
  ) -> Verdict {
    progresses(to: held, atLeast: minGain(with: error))
    let limit = max(1, settings.attempts)
    failures += 1
    if error.maxAttempts != nil { limitedFailures += 1 }
    guard error.isTransient, error.retryAt == nil, failures < limit,
      limitedFailures < error.maxAttempts ?? limit
    else {
      return .giveUp
    }
    let pause = Int64.random(in: 0...Self.maxBackoff(settings, failures), using: &random)
    if case .unreachable = error {
      let since = unreachableSince ?? elapsed
      unreachableSince = since
      guard elapsed - since + pause < settings.unreachableTime else { return .giveUp }
    } else {
      unreachableSince = nil
    }
    return .retry(after: pause, attempt: failures)
  }

  /// The maximum pause after this many consecutive failures, in milliseconds: exponential backoff.
  /// The actual pause is a random fraction of it (full jitter), so that many clients do not retry
  /// at the same moment.
  static func maxBackoff(_ settings: TransferSettings, _ failures: Int) -> Int64 {
    let (base, cap) = (settings.backoffBase, settings.backoffCap)
    let doublings = max(0, failures - 1)
    guard doublings < 32, base <= cap >> Int64(doublings) else { return cap }
    return base << Int64(doublings)
  }

  /// Updates the number of bytes held; a sufficient gain over the previous maximum resets the
  /// failures.
  private mutating func progresses(to held: Int64, atLeast least: Int64) {
    guard held > best else { return }
    if held - best >= least { (failures, limitedFailures) = (0, 0) }
    best = held
  }

  /// The minimum gain, in bytes, that counts as progress. A server that sends a few bytes each time
  /// would receive thousands of requests for one file.
  private func minGain(with error: TransferError) -> Int64 {
    guard case .stalled = error else { return settings.stallBytesPerSecond }
    return settings.stallBytesPerSecond.multipliedClamped(by: settings.stallTime) / 1000
  }
}
