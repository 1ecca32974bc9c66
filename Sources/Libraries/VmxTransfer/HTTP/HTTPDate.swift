import Glibc
import VmxModel

/// Parses the three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses a field value; nil unless it has one of the forms `Sun, 06 Nov 1994 08:49:37 GMT`,
  /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
  static func moment(_ text: String) -> Timestamp? {
    let words = text.lowercased().split { $0 == " " || $0 == "-" || $0 == "," }
    if words.count == 6, words[5] == "gmt" {
      return moment(day: words[1], month: words[2], year: words[3], time: words[4])
    }
    if words.count == 5 {
      return moment(day: words[2], month: words[1], year: words[4], time: words[3])
    }
    return nil
  }

  private static func moment(
    day: Substring, month: Substring, year: Substring, time: Substring
  ) -> Timestamp? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.utf8.count == 2 ? Decimal.number($0) : nil }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60, let month = months.firstIndex(of: String(month)),
      let day = Decimal.number(day), (1...31).contains(day), var year = Decimal.number(year),
      year < 10_000
    else { return nil }
    // A two-digit year below 70 is in the 21st century, any other in the 20th.
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    var parts = tm()
    parts.tm_year = Int32(year - 1900)
    parts.tm_mon = Int32(month)
    parts.tm_mday = Int32(day)
    parts.tm_hour = Int32(hour)
    parts.tm_min = Int32(minute)
    parts.tm_sec = Int32(second)
    let seconds = timegm(&parts)
    return parts.tm_mday == Int32(day) ? Timestamp(seconds: Int64(seconds)) : nil
  }
}
