package import VmxModel

/// Decides whether a fetch waits until a hold has passed or leaves the part to a later run.
package struct WaitPolicy: Sendable {
  /// The maximum of any wait, one day: longer waits are left to a later run.
  private static let day: Int64 = 24 * 3_600_000

  private let longestWait: Int64
  private let waits: Bool

  /// - Parameters:
  ///   - longestWait: the longest wait by default, in milliseconds.
  ///   - waits: whether the user asked for longer waits.
  package init(longestWait: Int64, waits: Bool) {
    self.longestWait = longestWait
    self.waits = waits
  }

  /// Whether to wait.
  ///
  /// A hold with a known end is waited for if the end is near enough. A hold with an unknown end is
  /// waited for if bytes arrived within `longestWait` in this run, or if the user asked for it.
  /// Before the first byte, the user or the timer decides when to try again.
  ///
  /// - Parameter idle: the milliseconds since bytes last arrived in this run; nil if none have
  ///   arrived.
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
