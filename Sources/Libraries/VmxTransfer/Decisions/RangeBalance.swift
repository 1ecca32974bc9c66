import VmxModel

/// Decides which connections delay the end of a file, given the bytes that each still has to
/// receive.
struct RangeBalance: Sendable {
  /// The missing bytes and the rate of one connection.
  struct Load: Sendable {
    /// The missing bytes of its range.
    var remaining: Int64
    /// The measured rate in bytes a second; nil as long as there is no measurement.
    var rate: Int64?
  }

  /// The shortest delay, in milliseconds, that is worth another request.
  private static let minDelay: Int64 = 500
  /// The fewest bytes for which a connection is kept open.
  private static let minBytes: Int64 = 64 << 10

  /// The rate of all connections together, in bytes a second.
  private let rate: Int64
  /// The time in milliseconds until all missing bytes have arrived, at the rate of all connections.
  private let remainingTime: Int64

  /// - Parameters:
  ///   - loads: the connections.
  ///   - missing: the missing bytes of the whole.
  init(_ loads: [Load], missing: Int64) {
    rate = loads.reduce(0) { $0 + ($1.rate ?? 0) }
    remainingTime = rate > 0 ? missing.multipliedClamped(by: 1000) / rate : .max
  }

  /// Returns the number of bytes that a slow connection may keep, so that it ends together with the
  /// others. Nil if the file does not wait for it; 0 if it should be closed.
  func kept(by load: Load) -> Int64? {
    guard let own = load.rate, own < rate, remainingTime < .max else { return nil }
    guard
      Self.time(load.remaining, own) > remainingTime.multipliedClamped(by: 3) / 2 + Self.minDelay
    else {
      return nil
    }
    let kept = own.multipliedClamped(by: remainingTime) / 1000
    return kept < Self.minBytes ? 0 : kept
  }

  /// Whether a second request for the range of a connection, at the rate of another one, is likely
  /// to end clearly before it.
  static func isWorthRacing(_ load: Load, at other: Int64) -> Bool {
    guard let own = load.rate, load.remaining > 0, other > 0 else { return false }
    return time(load.remaining, own) > time(load.remaining, other) * 2 + minDelay
  }

  private static func time(_ bytes: Int64, _ rate: Int64) -> Int64 {
    rate > 0 ? bytes.multipliedClamped(by: 1000) / rate : Int64.max / 4
  }
}
