/// A day of the Gregorian calendar without a time zone, as used to number daily shows.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// `YYYY-MM-DD`.
  package let description: String

  /// Parses `YYYY-MM-DD` (RFC 3339 full-date); nil unless that day exists.
  package init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil else { return nil }
    description = text
  }

  package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
    left.description < right.description
  }
}

/// A parser of fixed-width numbers and separators, the components of dates.
struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Parses exactly `count` digits.
  mutating func number(_ count: Int) -> Int32? {
    guard rest.count >= count else { return nil }
    var value: Int32 = 0
    for byte in rest.prefix(count) {
      guard let digit = Self.digit(byte) else { return nil }
      value = value * 10 + digit
    }
    rest.removeFirst(count)
    return value
  }

  /// Consumes one byte if it is one of those given.
  mutating func skip(_ anyOf: String) -> Bool {
    guard let first = rest.first, anyOf.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  /// Parses one or more fraction digits and returns thousandths, truncated.
  mutating func milliseconds() -> Int32? {
    var value: Int32 = 0
    var count = 0
    while let first = rest.first, let digit = Self.digit(first) {
      if count < 3 { value = value * 10 + digit }
      count += 1
      rest.removeFirst()
    }
    guard count > 0 else { return nil }
    for _ in 0..<max(0, 3 - count) { value *= 10 }
    return value
  }

  /// Parses `Z` or `+hh:mm`.
  mutating func offsetMinutes() -> Int32? {
    if skip("Zz") { return 0 }
    let negative = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2), skip(":"), let minutes = number(2), hours < 24,
      minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (negative ? -1 : 1)
  }

  private static func digit(_ byte: UInt8) -> Int32? {
    byte.isASCIIDigit ? Int32(byte - UInt8(ascii: "0")) : nil
  }
}
