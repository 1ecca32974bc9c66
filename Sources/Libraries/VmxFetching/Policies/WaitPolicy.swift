package import VmxModel

/// How long a fetch sits through what holds it, rather than leave it to a later run.
package struct WaitPolicy: Sendable {
  /// Waits longer than a day are never sat through: nobody runs a fetch for that.
  private static let day: Int64 = 24 * 3_600_000

  private let longestWait: Int64
  private let waits: Bool

  /// - Parameters:
  ///   - longestWait: milliseconds that are sat through unasked.
  ///   - waits: whether the person asked to sit through more.
  package init(longestWait: Int64, waits: Bool) {
    self.longestWait = longestWait
    self.waits = waits
  }

  /// Whether to sit on.
  ///
  /// What ends at a known time is sat through if that is near enough. What ends at a time nobody
  /// knows only holds what has begun: before the first byte it is the person's or the timer's
  /// decision to come again.
  ///
  /// - Parameter idle: milliseconds since bytes last came in this run; nil if none came yet.
  package func waits(for failure: Failure, now: Timestamp, idle: Int64?) -> Bool {
    guard case .wait(let reason) = failure.code.entry.retry else { return false }
    switch reason {
    case .metered, .offline:
      return waits || idle.map { $0 < longestWait } ?? false
    case .window, .quota:
      guard let until = failure.retryAt else { return false }
      return until.milliseconds - now.milliseconds <= (waits ? Self.day : longestWait)
    default: return false
    }
  }
}
