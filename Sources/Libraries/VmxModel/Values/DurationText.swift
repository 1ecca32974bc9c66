/// Durations in text form: `500ms`, `10s`, `5m`, `24h`, `7d`; a number without a unit is seconds.
package enum DurationText {
  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Parses a non-negative duration to milliseconds; nil for another form or on overflow.
  package static func milliseconds(of text: String) -> Int64? {
    let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let suffix = String(text.utf8.dropFirst(digits.count)) ?? "?"
    let unit = suffix.isEmpty ? 1000 : units.first { $0.suffix == suffix }?.milliseconds
    guard let number = Int64(String(Substring(digits))), let unit else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }

  /// Formats a duration in the largest unit that gives an integer.
  package static func text(of milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "0s" }
    let unit = units.last { milliseconds.isMultiple(of: $0.milliseconds) }
    return "\(milliseconds / (unit?.milliseconds ?? 1))\(unit?.suffix ?? "ms")"
  }
}
