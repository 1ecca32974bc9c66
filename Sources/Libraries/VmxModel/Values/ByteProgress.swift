/// The progress of an operation in bytes.
package struct ByteProgress: Sendable, Equatable {
  /// The number of bytes done.
  package var completedBytes: Int64
  /// The total number of bytes; nil while unknown.
  package var total: Int64?
  /// The rate in bytes per second; nil while unknown.
  package var rate: Int64?

  /// Creates a progress value.
  package init(completedBytes: Int64, total: Int64?, rate: Int64?) {
    self.completedBytes = completedBytes
    self.total = total
    self.rate = rate
  }

  /// The estimated remaining time in milliseconds at the current rate; nil while unknown.
  package var eta: Int64? {
    guard let total, let rate, rate > 0, total >= completedBytes else { return nil }
    let seconds = Double(total - completedBytes) / Double(rate)
    return seconds < 1_000_000 ? Int64(seconds * 1000) : nil
  }

  /// The progress in whole percent, 100 only when complete; nil while the total is unknown.
  package var percent: Int64? {
    guard let total, total > 0 else { return nil }
    return completedBytes >= total
      ? 100 : min(99, Int64(Double(completedBytes) / Double(total) * 100))
  }
}

/// A meter for the rate of a growing number of bytes, smoothed for display.
///
/// Each sample is weighted by the time it covers; samples much older than the smoothing time have
/// little weight.
package struct RateMeter: Sendable, Equatable {
  private let smoothing: Double

  private var last: (moment: Int64, bytes: Int64)?
  private var value: Double?

  /// Creates a meter without samples.
  ///
  /// - Parameter smoothing: the time in milliseconds after which a new rate counts half.
  package init(smoothing: Double = 3000) {
    self.smoothing = smoothing
  }

  /// The rate in bytes per second; nil before the second sample.
  package var rate: Int64? { value.map { Int64($0) } }

  /// Records a sample.
  ///
  /// - Parameters:
  ///   - bytes: the total so far; a smaller total than before starts a new measurement.
  ///   - moment: milliseconds of a monotonic clock.
  package mutating func sample(_ bytes: Int64, at moment: Int64) {
    guard let last, bytes >= last.bytes else {
      self.last = (moment, bytes)
      value = nil
      return
    }
    let elapsed = moment - last.moment
    // Shorter intervals would measure the callbacks, not the network.
    guard elapsed >= 200 else { return }
    let rate = Double(bytes - last.bytes) * 1000 / Double(elapsed)
    let weight = Double(elapsed) / (Double(elapsed) + smoothing)
    value = value.map { $0 + (rate - $0) * weight } ?? rate
    self.last = (moment, bytes)
  }

  package static func == (left: RateMeter, right: RateMeter) -> Bool {
    left.value == right.value && left.last?.moment == right.last?.moment
      && left.last?.bytes == right.last?.bytes
  }
}

/// The phase of the transfer of a part; the raw value is `phase` in progress records.
package enum ProgressPhase: String, Sendable, CaseIterable {
  /// A request has been sent; no byte of the body has arrived.
  case connecting
  /// Bytes are arriving.
  case receiving
  /// Bytes have arrived more slowly than the stall speed for five seconds or more.
  case stalling
  /// All bytes have arrived, and their digests are compared.
  case verifying
  /// The file is published under its final name.
  case publishing

  /// Whether a rate and a remaining time are meaningful.
  package var isMoving: Bool { self == .receiving }
}

/// A meter that detects a stalled transfer, which has been slower than a limit for several seconds
/// without interruption.
package struct StallMeter: Sendable, Equatable {
  /// The time in milliseconds after which a slow transfer counts as stalling.
  package static let stallTime: Int64 = 5000
  /// The length of a measurement in milliseconds; shorter ones would measure single packets.
  private static let interval: Int64 = 1000

  private let limit: Int64
  private var start: (moment: Int64, bytes: Int64)?
  private var slowSince: Int64?

  /// Creates a meter.
  ///
  /// - Parameter limit: the rate in bytes per second; 0 for a transfer that never stalls.
  package init(limit: Int64) {
    self.limit = limit
  }

  /// Whether the transfer stalled at the last sample.
  package private(set) var isStalling = false

  /// Records a sample.
  ///
  /// - Parameters:
  ///   - bytes: the total so far.
  ///   - moment: milliseconds of a monotonic clock.
  package mutating func sample(_ bytes: Int64, at moment: Int64) {
    guard let start, bytes >= start.bytes else {
      start = (moment, bytes)
      slowSince = nil
      isStalling = false
      return
    }
    let elapsed = moment - start.moment
    guard elapsed >= Self.interval else { return }
    let isSlow = (bytes - start.bytes).multipliedClamped(by: 1000) < limit * elapsed
    slowSince = isSlow ? slowSince ?? start.moment : nil
    isStalling = slowSince.map { moment - $0 >= Self.stallTime } ?? false
    self.start = (moment, bytes)
  }

  package static func == (left: StallMeter, right: StallMeter) -> Bool {
    left.limit == right.limit && left.slowSince == right.slowSince
      && left.start?.moment == right.start?.moment && left.start?.bytes == right.start?.bytes
  }
}
