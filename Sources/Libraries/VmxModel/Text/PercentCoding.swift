/// Percent-coding of bytes in URLs (RFC 3986, section 2.1).
package enum PercentCoding {
  /// Percent-encodes bytes that are not printable ASCII, and those of the given set. Percent signs
  /// remain unchanged, so that encoded text is not encoded twice.
  static func coded(_ text: Substring.UTF8View, besides more: ASCIISet) -> String {
    let isToCode = { (byte: UInt8) in byte <= 0x20 || byte >= 0x7F || more.contains(byte) }
    guard text.contains(where: isToCode) else { return String(Substring(text)) }
    var coded: [UInt8] = []
    for byte in text {
      if isToCode(byte) {
        coded.append(UInt8(ascii: "%"))
        coded.append(contentsOf: Hex.text(of: [byte]).uppercased().utf8)
      } else {
        coded.append(byte)
      }
    }
    return String(decoding: coded, as: UTF8.self)
  }

  /// Percent-encodes all bytes except the unreserved ones (RFC 3986, section 2.3), for a component
  /// of a path, a value in a query, or a user name or password.
  package static func codedComponent(_ text: String) -> String {
    coded(Substring(text).utf8, besides: ASCIISet("%/?#[]@!$&'()*+,;=:\"<>\\^`{|}"))
  }

  /// Decodes percent-encoded text; an incomplete escape remains unchanged. Nil if the result is not
  /// UTF-8.
  package static func decoded(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = Hex.byte(bytes[index + 1], bytes[index + 2])
      {
        decoded.append(byte)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(validating: decoded, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether it is an ASCII letter or digit.
  package var isASCIIAlphanumeric: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}

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
