/// A day of the Gregorian calendar without a time zone, as used to number daily shows.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// `YYYY-MM-DD`.
  package let description: String

  /// Parses `YYYY-MM-DD` (RFC 3339 full-date); nil unless that day exists.
  package init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.isAtEnd,
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    description = text
  }

  private static func days(in month: Int32, of year: Int32) -> Int32 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.description < right.description
  }
}
