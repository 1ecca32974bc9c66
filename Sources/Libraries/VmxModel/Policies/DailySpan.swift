/// A span of every day by the clock on the wall, such as `01:00-06:00`; one that ends before it
/// begins goes over midnight.
package struct DailySpan: Sendable, Equatable {
  /// The first minute of the day that belongs to it, from 0 to 1439.
  package let start: Int
  /// The first minute that does not any more, from 0 to 1440.
  package let end: Int

  /// Reads `HH:MM-HH:MM`, the end up to 24:00; nil for another form and for a span of no length.
  package init?(_ text: some StringProtocol) {
    var reader = DigitReader(String(text))
    guard let start = Self.minute(&reader), reader.skip("-"), let end = Self.minute(&reader),
      reader.isAtEnd, start < 1440, end <= 1440, start != end
    else { return nil }
    self.start = start
    self.end = end
  }

  /// Whether a minute of the day belongs to it.
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
