import VmxModel

/// Notices that next to nothing has come for too long, of headers as of bodies.
struct StallDetector: Sendable {
  private let enough: Int64
  private let time: Int64
  private var since: Int64
  private var from: Int64 = 0

  /// A watch that begins now.
  ///
  /// - Parameters:
  ///   - rate: bytes a second below which it is a stall.
  ///   - time: for so many milliseconds.
  ///   - now: milliseconds of a clock that never jumps.
  init(rate: Int64, time: Int64, now: Int64) {
    enough = max(1, rate.multipliedClamped(by: time) / 1000)
    self.time = time
    since = now
  }

  /// Whether it is stalled, given all bytes received so far.
  mutating func isStalled(received: Int64, now: Int64) -> Bool {
    if received - from >= enough {
      rest(received: received, now: now)
      return false
    }
    return now - since >= time
  }

  /// Begins anew: the pause was ours, not the server's.
  mutating func rest(received: Int64, now: Int64) {
    since = now
    from = received
  }
}
