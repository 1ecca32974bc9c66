import Glibc

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
  /// Returns the timestamp of a local time. It is either one if the local time occurs twice, and a
  /// nearby one if it is skipped.
  func timestamp(_ local: LocalTime) -> Timestamp
}

extension LocalZone {
  /// Formats a time for display, to the second: `2026-11-22 14:05:30`.
  package func text(of moment: Timestamp) -> String {
    let local = local(moment)
    let second = Int64(moment.milliseconds / 1000 % 60)
    let clock = [Int64(local.minute / 60), Int64(local.minute % 60), second]
    return "\(day(of: local)) \(clock.map(Self.twoDigits).joined(separator: ":"))"
  }

  /// Formats the day of a time for display: `2026-11-22`.
  package func day(of moment: Timestamp) -> String { day(of: local(moment)) }

  /// Parses a local time in the forms of `text` and `day`, with or without the seconds; nil for any
  /// other text.
  package func timestamp(of text: String) -> Timestamp? {
    let halves = text.split(separator: " ", omittingEmptySubsequences: false)
    guard halves.count <= 2, CalendarDay(String(halves[0])) != nil else { return nil }
    let clock = halves.count < 2 ? "00:00:00" : halves[1].count == 5 ? "\(halves[1]):00" : halves[1]
    guard let fields = Timestamp("\(halves[0])T\(clock)Z") else { return nil }
    let numbers = halves[0].split(separator: "-").compactMap { Int($0) }
    let day = fields.milliseconds / 1000 % 86_400
    let local = LocalTime(
      year: numbers[0], month: numbers[1], day: numbers[2], minute: Int(day / 60))
    return timestamp(local).adding(milliseconds: day % 60 * 1000)
  }

  private func day(of local: LocalTime) -> String {
    "\(local.year)-\(Self.twoDigits(Int64(local.month)))-\(Self.twoDigits(Int64(local.day)))"
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

/// The time zone of the machine: `TZ`, else `/etc/localtime`.
package struct SystemZone: LocalZone {
  /// Creates the zone; the process uses its state at the first call.
  package init() {
    // POSIX does not require localtime_r to read TZ by itself.
    tzset()
  }

  package func local(_ moment: Timestamp) -> LocalTime {
    var seconds = time_t(moment.milliseconds >= 0 ? moment.milliseconds / 1000 : 0)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return LocalTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      minute: Int(parts.tm_hour) * 60 + Int(parts.tm_min))
  }

  /// Returns the abbreviation of the zone at a time, such as `CET`.
  package func name(at moment: Timestamp) -> String {
    var seconds = time_t(moment.milliseconds / 1000)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return parts.tm_zone.map { String(cString: $0) } ?? "UTC"
  }

  package func timestamp(_ local: LocalTime) -> Timestamp {
    var parts = tm()
    parts.tm_year = Int32(clamping: local.year - 1900)
    parts.tm_mon = Int32(clamping: local.month - 1)
    parts.tm_mday = Int32(clamping: local.day)
    parts.tm_hour = Int32(clamping: local.minute / 60)
    parts.tm_min = Int32(clamping: local.minute % 60)
    // The zone determines whether daylight saving time applies at that time.
    parts.tm_isdst = -1
    return Timestamp(seconds: Int64(mktime(&parts)))
  }
}
