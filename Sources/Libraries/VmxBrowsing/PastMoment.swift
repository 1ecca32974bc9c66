package import VmxModel

/// A moment in the past as a user types it: a day, a time, or a duration before now.
package enum PastMoment {
  /// Parses `2026-11-01` (its first moment in the time zone), an RFC 3339 time, or a duration such
  /// as `30d`.
  ///
  /// - Throws: `usage`.
  package static func read(
    _ text: String, clock: any WallClock, _ zone: any LocalZone
  ) throws(Failure) -> Timestamp {
    if let moment = Timestamp(text) { return moment }
    if CalendarDay(text) != nil {
      let numbers = text.split(separator: "-").compactMap { Int($0) }
      if numbers.count == 3 {
        return zone.moment(
          LocalTime(year: numbers[0], month: numbers[1], day: numbers[2], minute: 0))
      }
    }
    if let span = DurationText.milliseconds(of: text) {
      return clock.now.adding(milliseconds: -span)
    }
    throw Failure(
      .usage, "not a day, a time or a span: '\(text)'",
      hint: "write 2026-11-01, 2026-11-01T18:00:00Z or 30d")
  }
}
