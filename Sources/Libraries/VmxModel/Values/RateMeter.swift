/// A meter for the rate of a growing number of bytes, smoothed for display.
///
/// Each sample is weighted by the time it covers; samples older than a few seconds have little
/// weight.
package struct RateMeter: Sendable, Equatable {
  private static let fading = 3000.0

  private var last: (moment: Int64, bytes: Int64)?
  private var value: Double?

  /// Creates a meter without samples.
  package init() {}

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
    let weight = Double(elapsed) / (Double(elapsed) + Self.fading)
    value = value.map { $0 + (rate - $0) * weight } ?? rate
    self.last = (moment, bytes)
  }

  package static func == (left: RateMeter, right: RateMeter) -> Bool {
    left.value == right.value && left.last?.moment == right.last?.moment
      && left.last?.bytes == right.last?.bytes
  }
}
