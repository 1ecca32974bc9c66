package import VmxModel

/// Formats times and durations for the user; records use `Timestamp.text`.
package enum TimeText {
  /// Formats a duration in its two largest units: `9s`, `1m32s`, `2h05m`, `3d04h`.
  package static func duration(milliseconds: Int64) -> String {
    let seconds = max(0, (milliseconds + 500) / 1000)
    let minutes = seconds / 60
    let hours = minutes / 60
    if seconds < 60 { return "\(seconds)s" }
    if minutes < 60 { return "\(minutes)m\(padded(seconds % 60))s" }
    if hours < 24 { return "\(hours)h\(padded(minutes % 60))m" }
    return "\(hours / 24)d\(padded(hours % 24))h"
  }

  /// Formats a time relative to now: `in 5m00s`, `12s ago`; the date if it is 30 days or more away.
  package static func relative(_ moment: Timestamp, to now: Timestamp) -> String {
    let distance = moment.milliseconds - now.milliseconds
    if abs(distance) >= month { return String(moment.text.prefix(10)) }
    let amount = duration(milliseconds: abs(distance))
    return distance > 0 ? "in \(amount)" : "\(amount) ago"
  }

  private static let month: Int64 = 30 * 86_400_000

  private static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
