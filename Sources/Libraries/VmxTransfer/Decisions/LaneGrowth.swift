/// When one more connection for a part is worth a try.
///
/// One is added at a time, and its worth is measured before the next: where it brought next to
/// nothing, the line is the limit, or the server's total, and more would only be a burden.
struct LaneGrowth: Sendable {
  /// From when on it pays.
  struct Limits: Sendable, Equatable {
    /// Milliseconds that a rate is measured for.
    var interval: Int64 = 1000
    /// Milliseconds that the rest must take at the measured rate.
    var rest: Int64 = 3000
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
  }

  private let limits: Limits
  private var start: (now: Int64, received: Int64)?
  /// Bytes a second, as measured last, and before the last connection was added.
  private var rate: Int64 = 0
  private var before: Int64?
  private var isEnough = false

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
  mutating func wantsMore(_ reading: Reading) -> Bool {
    guard !isEnough, let start else { return false }
    let elapsed = reading.now - start.now
    guard elapsed >= limits.interval, elapsed > 0 else { return false }
    rate = (reading.received - start.received) * 1000 / elapsed
    if let before, rate * 100 < before * (100 + limits.gain) {
      isEnough = true
      return false
    }
    // What has proven its worth is not asked again when the line later gets slower.
    before = nil
    guard rate > 0, reading.largest >= limits.piece else { return false }
    return reading.missing * 1000 / rate > limits.rest
  }
}
