import Glibc

/// A time in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Sendable, Hashable, Comparable {
  /// The milliseconds since the epoch; negative before it.
  package let milliseconds: Int64

  /// Creates a time from milliseconds since the epoch.
  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Creates a time from whole seconds since the epoch, clamped to the representable range.
  package init(seconds: Int64) {
    self.init(milliseconds: seconds.multipliedClamped(by: 1000))
  }

  /// Creates a time from nanoseconds since the epoch, rounded down to a whole millisecond.
  package init(nanoseconds: Int64) {
    let remainder = nanoseconds % Self.nanosecondsPerMillisecond
    let quotient = nanoseconds / Self.nanosecondsPerMillisecond
    self.init(milliseconds: remainder < 0 ? quotient - 1 : quotient)
  }

  /// The time in nanoseconds since the epoch, clamped to the range of `Int64`.
  package var nanoseconds: Int64 {
    milliseconds.multipliedClamped(by: Self.nanosecondsPerMillisecond)
  }

  /// The number of nanoseconds in a millisecond.
  package static let nanosecondsPerMillisecond: Int64 = 1_000_000

  /// Returns the time this many milliseconds later, clamped to the representable range.
  package func adding(milliseconds more: Int64) -> Timestamp {
    Timestamp(milliseconds: milliseconds.addingClamped(more))
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The whole seconds since the epoch, rounded toward zero.
  package var seconds: Int64 { milliseconds / 1000 }

  /// Returns whether this time is in a later second than another, for comparisons with programs
  /// that store whole seconds.
  package func isSecondLater(than other: Timestamp) -> Bool { seconds > other.seconds }
}

extension Timestamp {
  /// The time in RFC 3339 form in UTC with three fraction digits: `2026-11-21T03:36:00.000Z`. It
  /// always has 24 bytes for the years 0 to 9999.
  package var text: String {
    var seconds = time_t(milliseconds / 1000)
    var fraction = milliseconds % 1000
    if fraction < 0 {
      seconds -= 1
      fraction += 1000
    }
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let year = Int(parts.tm_year) + 1900
    if (0...9999).contains(year) { return Self.text(year: year, parts, fraction) }
    return String(year) + Self.text(year: 0, parts, fraction).dropFirst(4)
  }

  /// Formats a time whose year has four digits.
  private static func text(year: Int, _ parts: tm, _ fraction: Int64) -> String {
    String(unsafeUninitializedCapacity: 24) { text in
      var position = 0
      func write(_ number: Int, width: Int, mark: Unicode.Scalar) {
        var rest = number
        for digit in (position..<position + width).reversed() {
          text.initializeElement(at: digit, to: UInt8(ascii: "0") + UInt8(rest % 10))
          rest /= 10
        }
        text.initializeElement(at: position + width, to: UInt8(ascii: mark))
        position += width + 1
      }
      write(year, width: 4, mark: "-")
      write(Int(parts.tm_mon) + 1, width: 2, mark: "-")
      write(Int(parts.tm_mday), width: 2, mark: "T")
      write(Int(parts.tm_hour), width: 2, mark: ":")
      write(Int(parts.tm_min), width: 2, mark: ":")
      write(Int(parts.tm_sec), width: 2, mark: ".")
      write(Int(fraction), width: 3, mark: "Z")
      return position
    }
  }

  /// Parses RFC 3339 with any offset and any number of fraction digits; nil for any other text.
  package init?(_ text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skip("Tt "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"), let second = reader.number(2),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    let fraction = reader.skip(".") ? reader.milliseconds() : 0
    guard let fraction, let offset = reader.offsetMinutes(), reader.isAtEnd else { return nil }
    var parts = tm()
    parts.tm_year = year - 1900
    parts.tm_mon = month - 1
    parts.tm_mday = day
    parts.tm_hour = hour
    parts.tm_min = minute
    // A leap second counts as the first second of the next minute. It is added below, because in
    // the fields it could change the day.
    parts.tm_sec = min(second, 59)
    let seconds = timegm(&parts) + Int(second / 60)
    // timegm normalises 31 June to 1 July; a changed date does not exist.
    guard parts.tm_mday == day else { return nil }
    self.init(milliseconds: (Int64(seconds) - Int64(offset) * 60) * 1000 + Int64(fraction))
  }
}

/// A source of the current time; callers inject it, so that tests can supply their own.
package protocol WallClock: Sendable {
  /// The current time.
  var now: Timestamp { get }
  /// Receives the time of a server that has just answered. It confirms the clock or casts doubt on
  /// it, and never sets it.
  func receive(witness time: Timestamp)
}

extension WallClock {
  /// Ignores the time of the server.
  package func receive(witness time: Timestamp) {}
}

/// A day of the Gregorian calendar without a time zone, as used to number daily shows.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// `YYYY-MM-DD`.
  package let description: String

  /// Parses `YYYY-MM-DD` (RFC 3339 full-date); nil unless that day exists.
  package init?(_ text: String) {
    guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil else { return nil }
    description = text
  }

  /// Parses the day at the beginning of a text of another program, such as `2024-05-01 20:15:00`;
  /// nil also for one that such programs write for want of a day.
  package init?(ofProgram text: String) {
    guard let day = CalendarDay(String(text.prefix(10)))?.known else { return nil }
    self = day
  }

  /// The day; nil if it is a placeholder.
  package var known: CalendarDay? { isPlaceholder ? nil : self }

  /// Whether programs write the day for want of one: the first of their calendars.
  package var isPlaceholder: Bool { ["1970-01-01", "1601-01-01"].contains(description) }

  /// Whether a year is that of a placeholder.
  package static func isPlaceholder(year: Int64) -> Bool { [1970, 1601].contains(year) }

  /// Whether a number in the name of a file or show is likely a year: 1900 to 2099.
  package static func isYear(_ number: Int64) -> Bool { (1900...2099).contains(number) }

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
