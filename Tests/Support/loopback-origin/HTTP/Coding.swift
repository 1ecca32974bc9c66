/// A content coding that is actually applied to a body. Bytes are stored uncompressed, so that no
/// compression library is needed.
enum BodyCoding: Sendable {
  /// gzip without this many bytes at its end.
  case gzip(cut: Int)
  /// gzip with a wrong CRC.
  case wrongGzip
  /// gzip with this many zeros after the bytes; each 13 bits expand to 258 zeros.
  case bomb(zeros: Int)
  case brotli

  /// The name in Content-Encoding.
  var name: String { if case .brotli = self { "br" } else { "gzip" } }

  /// Returns the encoded bytes.
  func coded(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .gzip(let cut): Gzip.coded(bytes).dropLast(cut)
    case .wrongGzip: Gzip.coded(bytes, mask: 1)
    case .bomb(let zeros): Gzip.coded(bytes, zeros: zeros)
    case .brotli: Brotli.coded(bytes)
    }
  }
}

/// The gzip format (RFC 1952) with stored blocks (RFC 1951).
enum Gzip {
  /// - Parameters:
  ///   - zeros: the number of zeros after the bytes, which are compressed; a multiple of 258.
  ///   - mask: the bits of the CRC that are inverted.
  static func coded(_ bytes: [UInt8], zeros: Int = 0, mask: UInt32 = 0) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    var start = 0
    repeat {
      let end = min(start + 65_535, bytes.count)
      let count = UInt16(end - start)
      result.append(end == bytes.count && zeros == 0 ? 1 : 0)
      result += littleEndian(count) + littleEndian(~count)
      result += bytes[start..<end]
      start = end
    } while start < bytes.count
    if zeros > 0 { result += compressed(zeros: zeros) }
    // The CRC of a bomb is never checked, since no client decodes a bomb to its end.
    let checksum = zeros > 0 ? 0 : checksum(bytes) ^ mask
    return result + littleEndian(checksum)
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count + zeros))
  }

  /// Returns the last block, with the fixed codes: a literal zero, then copies of 258 bytes.
  private static func compressed(zeros: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b011, 3)
    bits.append(0b0000_1100, 8)
    // The code 11000101 for the length 258 and 00000 for the distance 1, first bit first.
    for _ in 0..<(zeros / 258) { bits.append(0b10100011, 13) }
    bits.append(0, 7)
    return bits.bytes
  }

  /// Returns the CRC-32 of RFC 1952.
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

/// The brotli format (RFC 7932) with blocks that are not compressed.
enum Brotli {
  static func coded(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 65_536) {
      let end = min(start + 65_536, bytes.count)
      var bits = BitWriter()
      // A window of 64 KiB, once.
      if start == 0 { bits.append(0, 1) }
      // Not the last block, a length of four nibbles, not compressed.
      bits.append(0, 3)
      bits.append(UInt32(end - start - 1), 16)
      bits.append(1, 1)
      result += bits.bytes + bytes[start..<end]
    }
    return result + [3]
  }
}

/// Writes bits starting with the lowest bit of each byte.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 0

  mutating func append(_ value: UInt32, _ count: Int) {
    for place in 0..<count {
      if used == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt32(place) & 1) << UInt8(used)
      used = (used + 1) % 8
    }
  }
}
