/// The times of day at which an action is allowed: `always`, or spans separated by commas.
package struct TimeWindow: Sendable, Equatable {
  /// All day, every day.
  package static let always = TimeWindow(spans: [])

  /// The spans, in the order given; empty means always.
  private let spans: [DailySpan]

  private init(spans: [DailySpan]) {
    self.spans = spans
  }

  /// Parses `always` or `01:00-06:00,22:30-24:00`; nil for any other text.
  package init?(_ text: String) {
    if text == "always" {
      self = .always
      return
    }
    let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
    let spans = pieces.compactMap { DailySpan($0) }
    guard spans.count == pieces.count else { return nil }
    self.init(spans: spans)
  }

  /// Returns the next time at which the window opens; nil if it is open at that time.
  package func opening(after now: Timestamp, in zone: some LocalZone) -> Timestamp? {
    guard !spans.isEmpty else { return nil }
    let local = zone.local(now)
    guard !spans.contains(where: { $0.contains(local.minute) }) else { return nil }
    // Three days, so that an opening remains if a clock change skips another.
    let openings = (0...2).flatMap { days in
      spans.map { span in
        var opening = local
        opening.day += days
        opening.minute = span.start
        return zone.timestamp(opening)
      }
    }
    return openings.filter { $0 > now }.min()
  }
}

/// A daily span of local time, such as `01:00-06:00`; a span that ends before it begins crosses
/// midnight.
package struct DailySpan: Sendable, Equatable {
  /// The first minute of the day within the span, from 0 to 1439.
  package let start: Int
  /// The first minute after the span, from 0 to 1440.
  package let end: Int

  /// Parses `HH:MM-HH:MM`, the end up to 24:00; nil for another form and for an empty span.
  package init?(_ text: some StringProtocol) {
    var reader = DigitReader(String(text))
    guard let start = Self.minute(&reader), reader.skip("-"), let end = Self.minute(&reader),
      reader.isAtEnd, start < 1440, end <= 1440, start != end
    else { return nil }
    self.start = start
    self.end = end
  }

  /// Whether a minute of the day is within the span.
  package func contains(_ minute: Int) -> Bool {
    start < end ? minute >= start && minute < end : minute >= start || minute < end
  }

  private static func minute(_ reader: inout DigitReader) -> Int? {
    guard let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      minute < 60
    else { return nil }
    return Int(hour) * 60 + Int(minute)
  }
}

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

  /// The accepted schedules, worded for messages and the manual.
  package static let allowed =
    "\(ByteCount.allowedRate), or by the time of day 1M@08:00-18:00, joined by commas"

  /// Parses a schedule; nil for any other text.
  package init?(_ text: String) {
    var entries: [Entry] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = piece.split(separator: "@", omittingEmptySubsequences: false)
      guard halves.count <= 2, let rate = ByteCount(rate: String(halves[0])) else { return nil }
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
