import Glibc
package import VmxModel

/// The time zone of the machine: `TZ`, else `/etc/localtime`.
package struct SystemZone: LocalZone {
  /// Creates the zone; the process uses its state at the first call.
  package init() {
    // localtime_r need not read TZ by itself (POSIX).
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

  package func moment(_ local: LocalTime) -> Timestamp {
    var parts = tm()
    parts.tm_year = Int32(clamping: local.year - 1900)
    parts.tm_mon = Int32(clamping: local.month - 1)
    parts.tm_mday = Int32(clamping: local.day)
    parts.tm_hour = Int32(clamping: local.minute / 60)
    parts.tm_min = Int32(clamping: local.minute % 60)
    // The zone determines whether daylight saving time applies then.
    parts.tm_isdst = -1
    return Timestamp(seconds: Int64(mktime(&parts)))
  }
}
