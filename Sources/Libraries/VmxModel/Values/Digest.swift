/// The digest algorithms accepted for verification (RFC 9530, "active").
package enum DigestAlgorithm: String, Sendable, CaseIterable {
  case sha256 = "sha-256"
  case sha512 = "sha-512"

  /// The length of a digest in bytes.
  package var length: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
    }
  }
}

/// A digest with its algorithm.
package struct Digest: Sendable, Hashable {
  /// The algorithm.
  package let algorithm: DigestAlgorithm
  /// The bytes of the digest; their number is the algorithm's length.
  package let bytes: [UInt8]

  /// Creates a digest; nil if the number of bytes does not fit the algorithm.
  package init?(_ algorithm: DigestAlgorithm, bytes: [UInt8]) {
    guard bytes.count == algorithm.length else { return nil }
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Parses hexadecimal text of either case; nil if it is not a digest of that algorithm.
  package init?(_ algorithm: DigestAlgorithm, hex: some StringProtocol) {
    guard let bytes = Hex.bytes(of: hex) else { return nil }
    self.init(algorithm, bytes: bytes)
  }

  /// The digest as lower-case hexadecimal text.
  package var hex: String { Hex.text(of: bytes) }
}

/// Lower-case hexadecimal text.
package enum Hex {
  /// The sixteen digits as ASCII bytes.
  package static let digits = Array("0123456789abcdef".utf8)

  /// Encodes each byte as two digits.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes a number as sixteen digits with leading zeros.
  package static func text(of number: UInt64) -> String {
    String(unsafeUninitializedCapacity: 16) { text in
      for index in 0..<16 {
        text.initializeElement(at: index, to: digits[Int(number >> (60 - 4 * index) & 15)])
      }
      return 16
    }
  }

  /// Decodes sixteen ASCII digits of either case; nil for any other bytes.
  package static func number(ofASCII digits: UnsafeBufferPointer<UInt8>) -> UInt64? {
    guard digits.count == 16 else { return nil }
    var number: UInt64 = 0
    for index in stride(from: 0, to: 16, by: 2) {
      guard let byte = byte(digits[index], digits[index + 1]) else { return nil }
      number = number << 8 | UInt64(byte)
    }
    return number
  }

  /// Decodes an even number of digits of either case; nil for any other text.
  package static func bytes(of text: some StringProtocol) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { self.bytes(ofASCII: $0) }
  }

  /// Decodes an even number of ASCII digits of either case; nil for any other bytes.
  package static func bytes(ofASCII digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = byte(digits[index], digits[index + 1]) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Decodes two ASCII digits of either case to one byte; nil for any other bytes.
  static func byte(_ high: UInt8, _ low: UInt8) -> UInt8? {
    guard let high = value(of: high), let low = value(of: low) else { return nil }
    return high << 4 | low
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// The segments of a file, each with a SHA-256 of its own: consecutive ranges of 4 MiB, of which
/// the last may be shorter.
package enum SegmentMap {
  /// The size of every segment but the last, in bytes.
  package static let size: Int64 = 4 << 20

  /// The byte range of a full segment.
  package static func range(_ index: Int) -> ByteRange {
    ByteRange(Int64(index) * size..<Int64(index + 1) * size)
  }
}
