import Glibc
package import VmxModel

/// A time zone with a constant offset from UTC.
package struct FixedZone: LocalZone {
  private let minutes: Int64

  /// Creates a zone that is this many minutes ahead of UTC.
  package init(minutes: Int64 = 0) {
    self.minutes = minutes
  }

  package func local(_ moment: Timestamp) -> LocalTime {
    var seconds = time_t(moment.milliseconds / 1000 + minutes * 60)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return LocalTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      minute: Int(parts.tm_hour) * 60 + Int(parts.tm_min))
  }

  package func timestamp(_ local: LocalTime) -> Timestamp {
    var parts = tm()
    parts.tm_year = Int32(local.year - 1900)
    parts.tm_mon = Int32(local.month - 1)
    parts.tm_mday = Int32(local.day)
    parts.tm_min = Int32(local.minute)
    return Timestamp(seconds: Int64(timegm(&parts)) - minutes * 60)
  }
}
