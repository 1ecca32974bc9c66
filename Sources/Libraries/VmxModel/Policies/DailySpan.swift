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
