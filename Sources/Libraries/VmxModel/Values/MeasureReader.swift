/// A parser of decimal numbers with units, the components of sizes, rates and durations:
/// `25.4 MiB`, `1h 30m`. Only ASCII digits and letters count.
struct MeasureReader {
  /// An exact decimal number: its digits without the point, and the power of ten of its fraction.
  struct Number: Equatable {
    fileprivate let digits: Int128
    fileprivate let scale: Int128

    /// Whether it has no fraction digits.
    var isWhole: Bool { scale == 1 }

    /// Returns the product with a unit of `unit / divisor`, rounded to the nearest integer; nil if
    /// it exceeds `Int64`.
    func multiplied(by unit: Int64, over divisor: Int64 = 1) -> Int64? {
      let (product, overflow) = digits.multipliedReportingOverflow(by: Int128(unit))
      let (whole, beyond) = scale.multipliedReportingOverflow(by: Int128(divisor))
      guard !overflow, !beyond, product <= Int128.max - whole else { return nil }
      return Int64(exactly: (product + whole / 2) / whole)
    }
  }

  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = Substring(text).utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Parses one or more digits, with or without a point and fraction digits; nil for anything else.
  mutating func number() -> Number? {
    guard let whole = digits() else { return nil }
    guard rest.first == UInt8(ascii: ".") else { return Number(digits: whole.value, scale: 1) }
    rest.removeFirst()
    guard let fraction = digits(), whole.value < Int128.max / fraction.scale - 1 else { return nil }
    return Number(
      digits: whole.value * fraction.scale + fraction.value, scale: fraction.scale)
  }

  /// Consumes blanks, then letters, then blanks, and returns the letters; empty without any.
  mutating func unit() -> String {
    skipBlanks()
    let letters = rest.prefix { $0.isASCIIAlphanumeric && !$0.isASCIIDigit }
    rest.removeFirst(letters.count)
    skipBlanks()
    return String(Substring(letters))
  }

  private mutating func skipBlanks() {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
  }

  private mutating func digits() -> (value: Int128, scale: Int128)? {
    let bytes = rest.prefix { $0.isASCIIDigit }
    // The largest Int64 has 19 digits; products of such numbers fit in Int128.
    guard !bytes.isEmpty, bytes.count <= 19 else { return nil }
    rest.removeFirst(bytes.count)
    return bytes.reduce((0, 1)) { ($0.value * 10 + Int128($1 - UInt8(ascii: "0")), $0.scale * 10) }
  }
}
