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
    // Three days, so that an opening is left if a clock change skips another.
    let openings = (0...2).flatMap { days in
      spans.map { span in
        var opening = local
        opening.day += days
        opening.minute = span.start
        return zone.moment(opening)
      }
    }
    return openings.filter { $0 > now }.min()
  }
}
