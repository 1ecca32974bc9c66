/// Header blocks of HTTP/2 (HPACK, RFC 7541), limited to what one request on a new connection
/// needs.
///
/// There is no dynamic table: fields that refer to it are skipped. Responses are encoded without
/// indexes and without Huffman coding.
enum HeaderBlock {
  /// The names of the static table that the origin reads, and the values of pseudo-headers.
  private static let names = [
    1: ":authority", 2: ":method", 3: ":method", 4: ":path", 5: ":path", 16: "accept-encoding",
    23: "authorization", 32: "cookie", 42: "if-range", 50: "range", 58: "user-agent",
  ]
  private static let values = [2: "GET", 3: "POST", 4: "/", 5: "/index.html"]

  /// Decodes the fields of a request; stops at the end of a truncated block.
  static func fields(of block: ArraySlice<UInt8>) -> [(name: String, value: String)] {
    var rest = block
    var fields: [(name: String, value: String)] = []
    while let first = rest.first {
      if first & 0x80 != 0 {
        let index = integer(from: &rest, bits: 7)
        if let name = names[index] { fields.append((name, values[index] ?? "")) }
      } else if first & 0xE0 == 0x20 {
        _ = integer(from: &rest, bits: 5)
      } else {
        let index = integer(from: &rest, bits: first & 0x40 != 0 ? 6 : 4)
        let name = index == 0 ? text(from: &rest) : names[index] ?? ""
        let value = text(from: &rest)
        if !name.isEmpty { fields.append((name, value)) }
      }
    }
    return fields
  }

  /// Encodes a field.
  static func encode(_ name: String, _ value: String) -> [UInt8] {
    [0] + literal(name.lowercased()) + literal(value)
  }

  private static func literal(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard bytes.count >= 0x7F else { return [UInt8(bytes.count)] + bytes }
    var length: [UInt8] = [0x7F]
    var rest = bytes.count - 0x7F
    while rest >= 0x80 {
      length.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return length + [UInt8(rest)] + bytes
  }

  private static func integer(from rest: inout ArraySlice<UInt8>, bits: UInt8) -> Int {
    let most = (1 << Int(bits)) - 1
    var value = Int(rest.popFirst() ?? 0) & most
    guard value == most else { return value }
    var shift = 0
    while let byte = rest.popFirst(), shift < 28 {
      value += Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { break }
    }
    return value
  }

  private static func text(from rest: inout ArraySlice<UInt8>) -> String {
    let isCoded = (rest.first ?? 0) & 0x80 != 0
    let count = integer(from: &rest, bits: 7)
    let bytes = rest.prefix(count)
    rest = rest.dropFirst(count)
    return String(decoding: isCoded ? HuffmanCode.decoded(bytes) : Array(bytes), as: UTF8.self)
  }
}

/// The Huffman code of HPACK for printable ASCII (RFC 7541, appendix B). The code is canonical: the
/// lengths determine it.
private enum HuffmanCode {
  /// The code lengths of the bytes from 32 to 126; 0 for a code of more than 15 bits.
  private static let lengths = [
    6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
    13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 0, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
    6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  ]

  /// The bytes by code length and code.
  private static let bytes: [[Int: UInt8]] = {
    var table = [[Int: UInt8]](repeating: [:], count: 16)
    var code = 0
    for length in 1...15 {
      code <<= 1
      // The byte 0 also has a code of 13 bits, which precedes those of the printable bytes.
      if length == 13 { code += 1 }
      for (place, known) in lengths.enumerated() where known == length {
        table[length][code] = UInt8(32 + place)
        code += 1
      }
    }
    return table
  }()

  static func decoded(_ coded: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var (code, length) = (0, 0)
    for byte in coded {
      for shift in stride(from: 7, through: 0, by: -1) {
        code = code << 1 | Int(byte >> UInt8(shift)) & 1
        length += 1
        guard length < bytes.count else { return result }
        if let found = bytes[length][code] {
          result.append(found)
          (code, length) = (0, 0)
        }
      }
    }
    return result
  }
}
