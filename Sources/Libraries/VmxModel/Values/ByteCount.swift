/// A number of bytes, never negative.
package struct ByteCount: Sendable, Hashable, Comparable {
  /// The number of bytes.
  package let bytes: Int64

  /// The maximum file size in a record, 1 PiB: sums over a library cannot overflow.
  package static let largestFile: Int64 = 1 << 50

  /// Creates a file size from a record; nil if negative or above `largestFile`.
  package init?(ofFile bytes: Int64) {
    guard bytes <= Self.largestFile else { return nil }
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

  /// Parses an integer with an optional suffix K, M, G or T in powers of 1024; nil otherwise.
  package init?(text: String) {
    let suffixes = Array("KMGT")
    var digits = Substring(text)
    var shift = 0
    if let last = text.last,
      let power = suffixes.firstIndex(where: { "\($0)" == last.uppercased() })
    {
      shift = (power + 1) * 10
      digits = digits.dropLast()
    }
    guard let number = Int64(digits), digits.first?.isNumber == true,
      number <= Int64.max >> shift
    else { return nil }
    bytes = number << shift
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

  /// Parses `10%`, or a number of bytes with an optional suffix K, M, G or T; nil otherwise.
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
