import VmxModel

/// When one more connection for a part is worth a try.
///
/// One is added at a time, and its worth is measured before the next: where it brought next to
/// nothing, the line is the limit, or the server's total, and more would only be a burden.
struct ConnectionScaling: Sendable {
  /// From when on it pays.
  struct Limits: Sendable, Equatable {
    /// Milliseconds that a rate is measured for.
    var interval: Int64 = 1000
    /// Milliseconds that the rest must take at the measured rate.
    var rest: Int64 = 3000
    /// The same where the host is known to limit each connection.
    var knownRest: Int64 = 1000
    /// Bytes that some connection must still have to bring, so that half of them is a piece.
    var piece: Int64 = 8 << 20
    /// Bytes that a piece has at least: less is brought before another request is answered. A
    /// connection that broke after less was not wanted.
    var least: Int64 = 1 << 20
    /// Percent more that a connection must have brought in sum for another one to follow.
    var gain: Int64 = 15
  }

  /// How a part stands.
  struct Reading: Sendable {
    /// Milliseconds of a clock that never jumps.
    var now: Int64
    /// Bytes that came so far, over all connections.
    var received: Int64
    /// Bytes that are missing of the whole.
    var missing: Int64
    /// Bytes of the largest piece that is missing or that one connection still has to bring.
    var largest: Int64
    /// Connections, those asked for included.
    var connections = 1
    /// Those of them that have not been answered yet.
    var asked = 0
  }

  /// What several connections have brought from a host, for parts before this one.
  struct Experience: Sendable, Equatable {
    /// So many were worth it.
    var connections = 1
    /// Bytes a second and connection.
    var rate: Int64 = 0
    /// Whether one more was not.
    var isComplete = false
  }

  private let limits: Limits
  private var start: (now: Int64, received: Int64)?
  /// Bytes a second, as measured last, and before the last connection was added.
  private var rate: Int64 = 0
  private var before: Int64?
  private var isEnough = false
  /// What was learned about the host since it was last looked at.
  private(set) var lesson: Experience?

  init(_ limits: Limits) {
    self.limits = limits
  }

  /// The number of connections has changed by other means than growth: measures anew.
  mutating func begins(now: Int64, received: Int64) {
    start = (now, received)
    before = nil
  }

  /// A connection was added: it is measured by what all bring from now on.
  mutating func added(now: Int64, received: Int64) {
    start = (now, received)
    before = rate
  }

  /// Whether one more connection is worth a try now.
  ///
  /// - Parameter known: what is known of the host; up to one more than were worth it before are
  ///   wanted without a look at their rate.
  mutating func wantsMore(_ reading: Reading, _ known: Experience = Experience()) -> Bool {
    lesson = nil
    guard !isEnough, let start else { return false }
    if isWorth(reading, known) {
      rate = known.rate * Int64(reading.connections)
      return true
    }
    // One at a time: what the last one brings is seen first.
    guard reading.asked == 0 else { return false }
    let elapsed = reading.now - start.now
    guard elapsed >= limits.interval, elapsed > 0 else { return false }
    rate = (reading.received - start.received) * 1000 / elapsed
    if let before {
      isEnough = rate * 100 < before * (100 + limits.gain)
      let worth = max(1, reading.connections - (isEnough ? 1 : 0))
      lesson = Experience(connections: worth, rate: rate / Int64(worth), isComplete: isEnough)
      if isEnough { return false }
    }
    // What has proven its worth is not asked again when the line later gets slower.
    before = nil
    guard rate > 0, reading.largest >= limits.piece else { return false }
    return reading.missing.multipliedClamped(by: 1000) / rate > limits.rest
  }

  private func isWorth(_ reading: Reading, _ known: Experience) -> Bool {
    guard known.connections > 1, known.rate > 0, reading.largest >= limits.piece,
      reading.connections < known.connections + (known.isComplete ? 0 : 1)
    else { return false }
    return reading.missing.multipliedClamped(by: 1000)
      / (known.rate * Int64(reading.connections)) > limits.knownRest
  }
}
