import VmxModel

/// Detects that the data rate, of headers or body, is below a limit for too long.
struct StallDetector: Sendable {
  private let enough: Int64
  private let time: Int64
  private var since: Int64
  private var from: Int64 = 0

  /// Creates a detector that starts now.
  ///
  /// - Parameters:
  ///   - rate: the rate in bytes a second below which the transfer stalls.
  ///   - time: the duration in milliseconds.
  ///   - now: milliseconds of the monotonic clock.
  init(rate: Int64, time: Int64, now: Int64) {
    enough = max(1, rate.multipliedClamped(by: time) / 1000)
    self.time = time
    since = now
  }

  /// Whether the transfer has stalled, given all bytes received so far.
  mutating func isStalled(received: Int64, now: Int64) -> Bool {
    if received - from >= enough {
      rest(received: received, now: now)
      return false
    }
    return now - since >= time
  }

  /// Restarts the measurement after a pause that this process caused.
  mutating func rest(received: Int64, now: Int64) {
    since = now
    from = received
  }
}
