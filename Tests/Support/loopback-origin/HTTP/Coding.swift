/// Base64 (RFC 4648) with padding.
enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for place in 0..<4 {
        let letter = letters[Int(bits >> UInt32(18 - 6 * place)) & 63]
        text.append(place <= piece.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The gzip format (RFC 1952) without compression: stored blocks, so that no library is needed.
enum Gzip {
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = UInt16(end - start)
      result.append(end == bytes.count ? 1 : 0)
      result += littleEndian(count) + littleEndian(~count)
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    return result + littleEndian(checksum(bytes))
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// CRC-32 as RFC 1952 wants it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 {
        let carry = value & 1 == 1
        value >>= 1
        if carry { value ^= 0xEDB8_8320 }
      }
    }
    return ~value
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
