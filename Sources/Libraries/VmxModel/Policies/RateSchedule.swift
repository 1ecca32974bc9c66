/// The rate limit by the time of day: `1M`, or `1M@08:00-18:00,200K@18:00-24:00`.
///
/// The first entry whose span contains the minute applies; else the first entry without a span;
/// else the rate is unlimited. A rate of 0 means no limit.
package struct RateSchedule: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    let rate: ByteCount
    let span: DailySpan?
  }

  private let entries: [Entry]

  /// Parses a schedule; nil for any other text.
  package init?(_ text: String) {
    var entries: [Entry] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = piece.split(separator: "@", omittingEmptySubsequences: false)
      guard halves.count <= 2, let rate = ByteCount(text: String(halves[0])) else { return nil }
      let span = halves.count == 2 ? DailySpan(halves[1]) : nil
      guard halves.count == 1 || span != nil else { return nil }
      entries.append(Entry(rate: rate, span: span))
    }
    self.entries = entries
  }

  /// The limit in bytes per second at a minute of the day; nil for no limit.
  package func rate(at minute: Int) -> ByteCount? {
    let entry =
      entries.first { $0.span?.contains(minute) ?? false } ?? entries.first { $0.span == nil }
    guard let rate = entry?.rate, rate.bytes > 0 else { return nil }
    return rate
  }
}
