/// A moment as clocks on the wall show it.
package struct LocalTime: Sendable, Equatable {
  /// Year of the Gregorian calendar.
  package var year: Int
  /// Month, from 1 to 12.
  package var month: Int
  /// Day of the month, from 1 on; beyond its end it counts into the next month.
  package var day: Int
  /// Minutes since midnight, from 0 to 1439; a night on which clocks change has some of them twice
  /// or not at all.
  package var minute: Int

  /// A moment.
  package init(year: Int, month: Int, day: Int, minute: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.minute = minute
  }

  /// The month as records name it: `2026-11`.
  package var monthName: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }

  /// The first minute of the next month.
  package var nextMonth: LocalTime {
    LocalTime(
      year: month == 12 ? year + 1 : year, month: month == 12 ? 1 : month + 1, day: 1, minute: 0)
  }
}

/// Tells what clocks on the wall show; tests bring their own.
package protocol LocalZone: Sendable {
  /// What they show at a moment.
  func local(_ moment: Timestamp) -> LocalTime
  /// The moment at which they show it; of two the earlier or later one, and where they skip it one
  /// nearby.
  func moment(_ local: LocalTime) -> Timestamp
}
