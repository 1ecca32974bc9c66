/// A time in local calendar fields.
package struct LocalTime: Sendable, Equatable {
  /// The year of the Gregorian calendar.
  package var year: Int
  /// The month, from 1 to 12.
  package var month: Int
  /// The day of the month, from 1; values beyond the end of the month count into the next one.
  package var day: Int
  /// The minutes since midnight, from 0 to 1439. A clock change repeats or skips some of them.
  package var minute: Int

  /// Creates a local time.
  package init(year: Int, month: Int, day: Int, minute: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.minute = minute
  }

  /// The month as written in records: `2026-11`.
  package var monthName: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }

  /// The first minute of the next month.
  package var nextMonth: LocalTime {
    LocalTime(
      year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1, minute: 0)
  }
}

/// Converts between timestamps and local time; tests supply their own zone.
package protocol LocalZone: Sendable {
  /// Returns the local time at a timestamp.
  func local(_ moment: Timestamp) -> LocalTime
  /// Returns the timestamp of a local time: either one where the local time occurs twice, and a
  /// nearby one where it is skipped.
  func moment(_ local: LocalTime) -> Timestamp
}
