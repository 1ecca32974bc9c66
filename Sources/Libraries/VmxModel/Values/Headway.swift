/// How far something has come that is measured in bytes.
package struct Headway: Sendable, Equatable {
  /// Bytes that are here.
  package var held: Int64
  /// Bytes of the whole; nil while nobody knows.
  package var total: Int64?
  /// Bytes a second; nil while nobody knows.
  package var rate: Int64?

  /// A point on the way.
  package init(held: Int64, total: Int64?, rate: Int64?) {
    self.held = held
    self.total = total
    self.rate = rate
  }

  /// Milliseconds until it is whole at its rate; nil while that cannot be said.
  package var eta: Int64? {
    guard let total, let rate, rate > 0, total >= held else { return nil }
    let seconds = Double(total - held) / Double(rate)
    return seconds < 1_000_000 ? Int64(seconds * 1000) : nil
  }

  /// Whole percent, 100 only at the end; nil while the whole is unknown.
  package var percent: Int64? {
    guard let total, total > 0 else { return nil }
    return held >= total ? 100 : min(99, Int64(Double(held) / Double(total) * 100))
  }
}
