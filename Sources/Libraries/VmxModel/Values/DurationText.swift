/// Durations in text form: `500ms`, `10s`, `5m`, `24h`, `7d`; a number without a unit is seconds.
package enum DurationText {
  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// Parses a non-negative duration to milliseconds; nil for another form or on overflow.
  package static func milliseconds(of text: String) -> Int64? {
    let digits = text.utf8.prefix { $0.isASCIIDigit }
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

/// Playing times in the notation of players: `1:02:03`, `0:41`.
package enum PlayingTime {
  /// The largest accepted number of seconds, minutes or hours; larger ones are unrealistic and sums
  /// could overflow.
  private static let most: Int64 = 1_000_000_000_000

  /// Parses `H:MM:SS`, `M:SS` or `S` to milliseconds, with up to three significant decimals; nil
  /// for another form or an unrealistic value.
  package static func milliseconds(of text: String) -> Int64? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3 else { return nil }
    var seconds: Int64 = 0
    for (place, field) in fields.enumerated() {
      guard let number = number(field), place == 0 || field.utf8.count == 2 && number < 60 else {
        return nil
      }
      seconds = seconds * 60 + number
    }
    guard halves.count == 2 else { return seconds * 1000 }
    var decimals = DigitReader(String(halves[1]))
    guard let thousandths = decimals.milliseconds(), decimals.isAtEnd else { return nil }
    return seconds * 1000 + Int64(thousandths)
  }

  /// Formats a playing time to the second, as `H:MM:SS` from one hour on, else as `M:SS`.
  package static func text(of milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let rest = twoDigits(seconds % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(rest)" : "\(minutes):\(rest)"
  }

  private static func number(_ field: Substring) -> Int64? {
    guard field.utf8.allSatisfy({ $0.isASCIIDigit }), let number = Int64(field) else { return nil }
    return number <= most ? number : nil
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
