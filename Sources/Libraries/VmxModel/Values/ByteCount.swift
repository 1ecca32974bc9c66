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
    let (sum, overflow) = left.bytes.addingReportingOverflow(right.bytes)
    return ByteCount(clamping: overflow ? .max : sum)
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
