/// The progress of an operation in bytes.
package struct Headway: Sendable, Equatable {
  /// The number of bytes done.
  package var held: Int64
  /// The total number of bytes; nil while unknown.
  package var total: Int64?
  /// The rate in bytes per second; nil while unknown.
  package var rate: Int64?

  /// Creates a progress value.
  package init(held: Int64, total: Int64?, rate: Int64?) {
    self.held = held
    self.total = total
    self.rate = rate
  }

  /// The estimated remaining time in milliseconds at the current rate; nil while unknown.
  package var eta: Int64? {
    guard let total, let rate, rate > 0, total >= held else { return nil }
    let seconds = Double(total - held) / Double(rate)
    return seconds < 1_000_000 ? Int64(seconds * 1000) : nil
  }

  /// The progress in whole percent, 100 only when complete; nil while the total is unknown.
  package var percent: Int64? {
    guard let total, total > 0 else { return nil }
    return held >= total ? 100 : min(99, Int64(Double(held) / Double(total) * 100))
  }
}
