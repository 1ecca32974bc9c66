/// A day of the Gregorian calendar without a time zone, as daily shows are numbered by it.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// `YYYY-MM-DD`.
  package let description: String

  /// Reads `YYYY-MM-DD` (RFC 3339 full-date); nil unless that day exists.
  package init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil else { return nil }
    description = text
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.description < right.description
  }
}
