/// A number of bytes, never negative.
package struct ByteCount: Sendable, Hashable, Comparable {
  /// The number of bytes.
  package let bytes: Int64

  /// The maximum file size in a record, 1 PiB: sums over a library cannot overflow.
  package static let maxFileSize: Int64 = 1 << 50

  /// Creates a file size from a record; nil if negative or above `maxFileSize`.
  package init?(ofFile bytes: Int64) {
    guard bytes <= Self.maxFileSize else { return nil }
    self.init(bytes)
  }

  /// Creates a number of bytes; nil if negative.
  package init?(_ bytes: Int64) {
    guard bytes >= 0 else { return nil }
    self.bytes = bytes
  }

  /// Creates a number of bytes; a negative number becomes 0.
  package init(clamping bytes: Int64) {
    self.bytes = max(0, bytes)
  }

  /// The accepted sizes, worded for messages and the manual.
  package static let allowed = "a size such as 500M, 2GB or 25.4 MiB"
  /// The accepted rates, worded for messages and the manual.
  package static let allowedRate = "a rate such as 500K, 2MB or 2.2 MiB/s"

  /// Parses a size: a number with a unit as in coreutils. K, M, G, T, P, E and KiB to EiB are
  /// powers of 1024, KB to EB powers of 1000; B or no unit is bytes. Case is ignored. Nil for any
  /// other text.
  package init?(text: String) {
    var reader = MeasureReader(text)
    guard let number = reader.number(), let unit = Self.unit(reader.unit()), reader.isAtEnd,
      let bytes = number.multiplied(by: unit)
    else { return nil }
    self.bytes = bytes
  }

  /// Parses a rate per second: a size, with or without `/s`, or `2500 kbit/s`; nil for any other
  /// text.
  package init?(rate text: String) {
    let amount = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
    if let size = ByteCount(text: amount) {
      self = size
      return
    }
    var reader = MeasureReader(amount)
    guard let number = reader.number(), let bits = Self.bits(reader.unit()), reader.isAtEnd,
      let bytes = number.multiplied(by: bits, over: 8)
    else { return nil }
    self.bytes = bytes
  }

  private static let prefixes = Array("kmgtpe".utf8)

  private static func unit(_ word: String) -> Int64? {
    let word = word.lowercased()
    if ["", "b", "byte", "bytes"].contains(word) { return 1 }
    guard let power = word.utf8.first.flatMap({ prefixes.firstIndex(of: $0) }) else { return nil }
    switch word.dropFirst() {
    case "", "ib": return 1 << (10 * Int64(power + 1))
    case "b": return (0...power).reduce(1) { product, _ in product * 1000 }
    default: return nil
    }
  }

  private static func bits(_ word: String) -> Int64? {
    guard word.hasSuffix("bit") else { return nil }
    let prefix = word.dropLast(3)
    return prefix.isEmpty ? 1 : unit("\(prefix)b")
  }

  package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
  /// The sum, clamped to the largest count.
  package static func + (left: ByteCount, right: ByteCount) -> ByteCount {
    ByteCount(clamping: left.bytes.addingClamped(right.bytes))
  }

  /// The size for display: three significant figures and a binary unit, such as `4.9 MiB`.
  package var forPeople: String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    guard unit > 0, value < 99.95 else { return "\(Int64(value.rounded())) \(units[unit])" }
    return "\((value * 10).rounded() / 10) \(units[unit])"
  }
}

/// An amount of disk space: a number of bytes, or a percentage of the disk's capacity.
package enum DiskQuota: Sendable, Hashable {
  /// A number of bytes.
  case bytes(ByteCount)
  /// A percentage, from 0 to 100.
  case percent(Int64)

  /// The accepted amounts, worded for messages and the manual.
  package static let allowed = "\(ByteCount.allowed), or 0% to 100%"

  /// Parses `10%`, or a size; nil otherwise.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let number = Int64(text.dropLast()), (0...100).contains(number) else { return nil }
      self = .percent(number)
    } else {
      guard let count = ByteCount(text: text) else { return nil }
      self = .bytes(count)
    }
  }

  /// Returns the number of bytes on a disk of the given capacity.
  package func bytes(of disk: ByteCount) -> ByteCount {
    switch self {
    case .bytes(let count): count
    case .percent(let hundredths): ByteCount(clamping: disk.bytes / 100 * hundredths)
    }
  }
}

// Sizes, counts and times from files, servers, settings and options may have any Int64 value. Sums
// and products of such numbers are clamped. No real data reaches the clamped values, and an
// overflow would end the process.

extension FixedWidthInteger {
  /// The sum, clamped to the range of the type.
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product, clamped to the range of the type.
  package func multipliedClamped(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Sequence where Element: FixedWidthInteger {
  /// The sum of all elements, clamped at each step.
  package func clampedSum() -> Element { reduce(0) { $0.addingClamped($1) } }
}
