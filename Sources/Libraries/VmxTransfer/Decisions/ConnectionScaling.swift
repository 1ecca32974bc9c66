import VmxModel

/// Decides when a part tries one more connection.
///
/// Connections are added one at a time, each measured before the next. If one gains almost nothing,
/// the line or the server's total rate is the limit, and more would only burden the server.
struct ConnectionScaling: Sendable {
  /// The thresholds for adding a connection.
  struct Limits: Sendable, Equatable {
    /// The duration of a rate measurement, in milliseconds.
    var interval: Int64 = 1000
    /// The duration of the rate measurement of one connection, in milliseconds.
    var window: Int64 = 1000
    /// The minimum remaining time at the measured rate, in milliseconds.
    var minRemainingTime: Int64 = 3000
    /// The same for a host that is known to limit each connection.
    var minRemainingTimeWhenLimited: Int64 = 1000
    /// The minimum size, in bytes, of the largest remaining range. Half of it becomes the new
    /// connection's range.
    var minPiece: Int64 = 8 << 20
    /// The minimum size of a range, in bytes; fewer bytes arrive before a further request is
    /// answered. A connection that broke after fewer bytes counts as refused.
    var minRange: Int64 = 1 << 20
    /// The minimum increase of the total rate, in percent, for another connection to follow.
    var gain: Int64 = 15
  }

  /// The current state of a part.
  struct Reading: Sendable {
    /// The time, in milliseconds of the monotonic clock.
    var now: Int64
    /// The bytes received so far over all connections.
    var received: Int64
    /// The missing bytes of the whole.
    var missing: Int64
    /// The size, in bytes, of the largest range that is missing or assigned to one connection.
    var largestRange: Int64
    /// The connections, including those without a response yet.
    var connections = 1
    /// The connections without a response yet.
    var pending = 0
  }

  /// The measurements of several connections to a host, made by earlier parts.
  struct Experience: Sendable, Equatable {
    /// The number of connections that were worthwhile.
    var connections = 1
    /// The rate of one connection, in bytes a second.
    var rate: Int64 = 0
    /// Whether one more connection was not worthwhile.
    var isComplete = false
  }

  private let limits: Limits
  private var start: (now: Int64, received: Int64)?
  /// The last measured rate, in bytes a second, and the one before the last connection was added.
  private var rate: Int64 = 0
  private var before: Int64?
  private var isSaturated = false
  /// Whether the last measurement found a clearly lower rate than before the last connection.
  private(set) var hasRegressed = false
  /// The result of the last measurement, for the host's experience.
  private(set) var measurement: Experience?

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// Restarts the measurement after the number of connections changed otherwise than by growth.
  mutating func restart(now: Int64, received: Int64) {
    start = (now, received)
    before = nil
  }

  /// Restarts the measurement after a connection was added.
  mutating func added(now: Int64, received: Int64) {
    start = (now, received)
    before = rate
  }

  /// Whether to try one more connection now.
  ///
  /// - Parameter known: the experience with the host. Up to one connection more than was worthwhile
  ///   before is added without a measurement.
  mutating func wantsMore(_ reading: Reading, _ known: Experience = Experience()) -> Bool {
    measurement = nil
    hasRegressed = false
    guard !isSaturated, let start else { return false }
    if isWorthTrying(reading, known) {
      rate = known.rate * Int64(reading.connections)
      return true
    }
    // Connections are added one at a time: the last one is measured first.
    guard reading.pending == 0 else { return false }
    let elapsed = reading.now - start.now
    guard elapsed >= limits.interval, elapsed > 0 else { return false }
    rate = (reading.received - start.received) * 1000 / elapsed
    if let before {
      isSaturated = rate * 100 < before * (100 + limits.gain)
      hasRegressed = isSaturated && rate * 10 < before * 9
      let worth = max(1, reading.connections - (isSaturated ? 1 : 0))
      measurement = Experience(
        connections: worth, rate: rate / Int64(worth), isComplete: isSaturated)
      if isSaturated { return false }
    }
    // A connection once found worthwhile is not measured again when the line becomes slower.
    before = nil
    guard rate > 0, reading.largestRange >= limits.minPiece else { return false }
    return reading.missing.multipliedClamped(by: 1000) / rate > limits.minRemainingTime
  }

  private func isWorthTrying(_ reading: Reading, _ known: Experience) -> Bool {
    guard known.connections > 1, known.rate > 0, reading.largestRange >= limits.minPiece,
      reading.connections < known.connections + (known.isComplete ? 0 : 1)
    else { return false }
    return reading.missing.multipliedClamped(by: 1000)
      / (known.rate * Int64(reading.connections)) > limits.minRemainingTimeWhenLimited
  }
}
