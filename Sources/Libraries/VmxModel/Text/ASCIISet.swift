/// A set of ASCII characters with lookup by byte.
struct ASCIISet: Sendable {
  private let low: UInt64
  private let high: UInt64

  /// Creates the set of the characters of a text.
  init(_ text: StaticString) {
    var words: (low: UInt64, high: UInt64) = (0, 0)
    text.withUTF8Buffer { bytes in
      for byte in bytes where byte < 64 { words.low |= 1 << UInt64(byte) }
      for byte in bytes where (64..<128).contains(byte) { words.high |= 1 << UInt64(byte - 64) }
    }
    (low, high) = words
  }

  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low >> UInt64(byte) & 1 != 0
    case 64..<128: high >> UInt64(byte - 64) & 1 != 0
    default: false
    }
  }
}
