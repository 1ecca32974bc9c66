/// Measures how fast a number of bytes grows, smoothed so that it can be read.
///
/// Each sample counts by the time it covers; what is older than a few seconds has faded.
package struct RateMeter: Sendable, Equatable {
  private static let fading = 3000.0

  private var last: (moment: Int64, bytes: Int64)?
  private var value: Double?

  /// A meter without samples.
  package init() {}

  /// Bytes a second; nil before a second sample.
  package var rate: Int64? { value.map { Int64($0) } }

  /// Takes a sample.
  ///
  /// - Parameters:
  ///   - bytes: held so far; fewer than before begin a new measurement.
  ///   - moment: milliseconds of a clock that only goes forward.
  package mutating func sample(_ bytes: Int64, at moment: Int64) {
    guard let last, bytes >= last.bytes else {
      self.last = (moment, bytes)
      value = nil
      return
    }
    let elapsed = moment - last.moment
    // Shorter stretches measure the callbacks, not the network.
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
