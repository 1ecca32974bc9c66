/// Durations in text form: `500ms`, `10s`, `1h30m`, `2w`, `10 minutes`, `1:02:03`; a number without
/// a unit is seconds.
package enum DurationText {
  /// The accepted durations, worded for messages and the manual.
  package static let allowed = "a duration such as 90s, 1h30m, 10 minutes or 2d"

  /// The units with their names, in ascending order.
  private static let units: [(milliseconds: Int64, names: [String])] = [
    (1, ["ms", "millisecond", "milliseconds"]), (1000, ["s", "sec", "secs", "second", "seconds"]),
    (60_000, ["m", "min", "mins", "minute", "minutes"]),
    (3_600_000, ["h", "hr", "hrs", "hour", "hours"]), (86_400_000, ["d", "day", "days"]),
    (604_800_000, ["w", "week", "weeks"]),
  ]
  /// The number of units in which durations are printed: up to days.
  private static let printed = 5

  /// Parses a non-negative duration to milliseconds; nil for another form or on overflow.
  ///
  /// Several numbers must be in order from larger to smaller units, and only the last may have a
  /// fraction. Playing times are accepted too.
  package static func milliseconds(of text: String) -> Int64? {
    if text.utf8.contains(UInt8(ascii: ":")) { return PlayingTime.milliseconds(of: text) }
    var reader = MeasureReader(text)
    var sum: Int64 = 0
    var larger = Int64.max
    var mayFollow = true
    while mayFollow, let number = reader.number() {
      let name = reader.unit()
      // A number without a unit must be alone: in `1h30`, the unit of 30 would be ambiguous.
      guard let unit = name.isEmpty ? 1000 : unit(named: name), unit < larger,
        !name.isEmpty || larger == .max, let span = number.multiplied(by: unit)
      else { return nil }
      let (more, overflow) = sum.addingReportingOverflow(span)
      guard !overflow else { return nil }
      (sum, larger, mayFollow) = (more, unit, number.isWhole && !name.isEmpty)
    }
    return reader.isAtEnd && larger != .max ? sum : nil
  }

  private static func unit(named name: String) -> Int64? {
    units.first { $0.names.contains(name) }?.milliseconds
  }

  /// Formats a duration in the largest unit that gives an integer.
  package static func text(of milliseconds: Int64) -> String {
    guard milliseconds != 0 else { return "0s" }
    let unit = units.prefix(printed).last { milliseconds.isMultiple(of: $0.milliseconds) }
    return "\(milliseconds / (unit?.milliseconds ?? 1))\(unit?.names[0] ?? "ms")"
  }
}

/// Playing times in the notation of players: `1:02:03`, `0:41`.
package enum PlayingTime {
  /// The largest accepted number of seconds, minutes or hours; larger ones are unrealistic and sums
  /// could overflow.
  private static let maxCount: Int64 = 1_000_000_000_000

  /// Parses `H:MM:SS`, `M:SS` or `S` to milliseconds, with up to three significant decimals; nil
  /// for another form or an unrealistic value.
  package static func milliseconds(of text: String) -> Int64? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count <= 3 else { return nil }
    var seconds: Int64 = 0
    for (index, field) in fields.enumerated() {
      guard let number = number(field), index == 0 || field.utf8.count == 2 && number < 60 else {
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

  /// Formats a non-negative playing time as seconds with a fraction, as players and NFO files have
  /// it: `754.200`.
  package static func seconds(of milliseconds: Int64) -> String {
    let fraction = "\(milliseconds % 1000)"
    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    return "\(milliseconds / 1000).\(zeros)\(fraction)"
  }

  private static func number(_ field: Substring) -> Int64? {
    guard field.utf8.allSatisfy({ $0.isASCIIDigit }), let number = Int64(field) else { return nil }
    return number <= maxCount ? number : nil
  }

  private static func twoDigits(_ number: Int64) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
