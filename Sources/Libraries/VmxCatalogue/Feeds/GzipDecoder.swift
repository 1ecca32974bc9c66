import VmxModel

/// Unpacks gzip files (RFC 1952), for feeds that are stored as `feed.xml.gz` and sent without
/// `Content-Encoding`. libcurl decodes those that are sent with it.
struct GzipDecoder {
  /// The first bytes of a gzip file: its magic and the only compression method.
  static let magic: [UInt8] = [0x1F, 0x8B, 8]

  private enum Problem: Error {
    case cut, invalid, tooLarge
  }

  private let input: [UInt8]
  private let limit: Int
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  private init(_ input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  /// Returns the unpacked bytes; the bytes themselves if they are not gzip.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of unpacked bytes.
  ///   - shown: the name of the document in messages.
  /// - Throws: `body-too-large`; `encoded-body` if the file is damaged.
  static func unpacked(
    _ bytes: [UInt8], limit: ByteCount, _ shown: String
  ) throws(Failure) -> [UInt8] {
    guard bytes.starts(with: magic) else { return bytes }
    var decoder = GzipDecoder(bytes, limit: Int(limit.bytes))
    do throws(Problem) {
      // A file may have several members; zeros may fill the rest of a block.
      repeat { try decoder.member() } while decoder.input[decoder.position...].starts(with: magic)
      return decoder.output
    } catch {
      switch error {
      case .tooLarge:
        throw Failure(.bodyTooLarge, "'\(shown)' has more than \(limit.bytes) bytes")
      case .cut: throw Failure(.encodedBody, "'\(shown)' is gzip without its end")
      case .invalid: throw Failure(.encodedBody, "'\(shown)' is damaged gzip")
      }
    }
  }
}

// The container.
extension GzipDecoder {
  private mutating func member() throws(Problem) {
    let start = output.count
    position += 3
    let flags = try byte()
    position += 6
    if flags & 4 != 0 {
      let low = Int(try byte())
      position += low + Int(try byte()) << 8
    }
    if flags & 8 != 0 { while try byte() != 0 {} }
    if flags & 16 != 0 { while try byte() != 0 {} }
    if flags & 2 != 0 { position += 2 }
    try blocks()
    (bits, bitCount) = (0, 0)
    let checksum = try word()
    let size = try word()
    let member = output[start...]
    guard checksum == CRC32.of(member), size == UInt32(truncatingIfNeeded: member.count) else {
      throw .invalid
    }
  }

  private mutating func byte() throws(Problem) -> UInt8 {
    guard position < input.count else { throw .cut }
    defer { position += 1 }
    return input[position]
  }

  private mutating func word() throws(Problem) -> UInt32 {
    var word: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { word |= UInt32(try byte()) << shift }
    return word
  }
}

// The compressed blocks (RFC 1951).
extension GzipDecoder {
  /// The canonical Huffman code of an alphabet.
  private struct HuffmanCode {
    private static let maxLength = 15
    /// The number of codes of each length.
    private var counts = [Int](repeating: 0, count: maxLength + 1)
    /// The symbols in the order of their codes.
    private var symbols: [UInt16]

    /// - Parameter lengths: the length of the code of each symbol; 0 for a symbol without one.
    init(_ lengths: [Int]) throws(Problem) {
      for length in lengths where length > 0 { counts[length] += 1 }
      var left = 1
      for count in counts.dropFirst() {
        left = left << 1 - count
        if left < 0 { throw .invalid }
      }
      var offsets = [Int](repeating: 0, count: Self.maxLength + 2)
      for length in 1...Self.maxLength { offsets[length + 1] = offsets[length] + counts[length] }
      symbols = [UInt16](repeating: 0, count: lengths.count)
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[offsets[length]] = UInt16(symbol)
        offsets[length] += 1
      }
    }

    /// Returns the next symbol.
    func symbol(from decoder: inout GzipDecoder) throws(Problem) -> Int {
      var (code, first, index) = (0, 0, 0)
      for length in 1...Self.maxLength {
        code |= Int(try decoder.read(bits: 1))
        let count = counts[length]
        if code - first < count { return Int(symbols[index + code - first]) }
        index += count
        first = (first + count) << 1
        code <<= 1
      }
      throw .invalid
    }
  }

  private static let codeOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  /// The lowest length and distance of each symbol, and the number of bits that are added.
  private static let lengths = table(from: 3, count: 28, perStep: 4) + [(258, 0)]
  private static let distances = table(from: 1, count: 30, perStep: 2)
  private static let fixedLengths =
    [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112)
    + [Int](repeating: 7, count: 24) + [Int](repeating: 8, count: 8)

  private static func table(from first: Int, count: Int, perStep: Int) -> [(base: Int, bits: Int)] {
    var base = first
    return (0..<count).map { symbol in
      let bits = max(0, symbol / perStep - 1)
      defer { base += 1 << bits }
      return (base, bits)
    }
  }

  private mutating func blocks() throws(Problem) {
    var isLast = false
    while !isLast {
      isLast = try read(bits: 1) == 1
      switch try read(bits: 2) {
      case 0: try stored()
      case 1:
        try compressed(
          HuffmanCode(Self.fixedLengths), HuffmanCode([Int](repeating: 5, count: 30)))
      case 2:
        let (literals, distances) = try codes()
        try compressed(literals, distances)
      default: throw .invalid
      }
    }
  }

  private mutating func stored() throws(Problem) {
    (bits, bitCount) = (0, 0)
    let sizes = try word()
    let count = Int(sizes & 0xFFFF)
    guard sizes >> 16 == ~sizes & 0xFFFF else { throw .invalid }
    guard position + count <= input.count else { throw .cut }
    guard output.count + count <= limit else { throw .tooLarge }
    output += input[position..<position + count]
    position += count
  }

  private mutating func codes() throws(Problem) -> (HuffmanCode, HuffmanCode) {
    let literals = Int(try read(bits: 5)) + 257
    let distances = Int(try read(bits: 5)) + 1
    let count = Int(try read(bits: 4)) + 4
    var lengths = [Int](repeating: 0, count: 19)
    for index in Self.codeOrder.prefix(count) { lengths[index] = Int(try read(bits: 3)) }
    let code = try HuffmanCode(lengths)
    lengths = []
    while lengths.count < literals + distances {
      let symbol = try code.symbol(from: &self)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw .invalid }
        lengths += [Int](repeating: last, count: Int(try read(bits: 2)) + 3)
      case 17: lengths += [Int](repeating: 0, count: Int(try read(bits: 3)) + 3)
      case 18: lengths += [Int](repeating: 0, count: Int(try read(bits: 7)) + 11)
      default: lengths.append(symbol)
      }
    }
    guard lengths.count == literals + distances, literals <= 286, distances <= 30 else {
      throw .invalid
    }
    return (
      try HuffmanCode(Array(lengths[..<literals])),
      try HuffmanCode(Array(lengths[literals...]))
    )
  }

  private mutating func compressed(
    _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(Problem) {
    while true {
      let symbol = try literals.symbol(from: &self)
      if symbol == 256 { return }
      guard output.count < limit else { throw .tooLarge }
      guard symbol > 256 else {
        output.append(UInt8(symbol))
        continue
      }
      guard symbol - 257 < Self.lengths.count else { throw .invalid }
      let (base, extra) = Self.lengths[symbol - 257]
      let count = base + Int(try read(bits: extra))
      let code = try distances.symbol(from: &self)
      guard code < Self.distances.count else { throw .invalid }
      let distance = Self.distances[code].base + Int(try read(bits: Self.distances[code].bits))
      guard distance <= output.count else { throw .invalid }
      guard output.count + count <= limit else { throw .tooLarge }
      // The copied bytes may include those that are being written.
      for _ in 0..<count { output.append(output[output.count - distance]) }
    }
  }

  /// Reads up to 13 bits, the lowest first.
  private mutating func read(bits count: Int) throws(Problem) -> UInt32 {
    while bitCount < count {
      bits |= UInt32(try byte()) << UInt32(bitCount)
      bitCount += 8
    }
    defer {
      bits >>= UInt32(count)
      bitCount -= count
    }
    return bits & (1 << UInt32(count) - 1)
  }
}

/// The checksum of gzip (RFC 1952, section 8).
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    var value = UInt32(byte)
    for _ in 0..<8 {
      let half = value >> 1
      value = value & 1 == 0 ? half : half ^ 0xEDB8_8320
    }
    return value
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var value = ~UInt32(0)
    for byte in bytes {
      let index = Int(UInt8(truncatingIfNeeded: value) ^ byte)
      value = value >> 8 ^ table[index]
    }
    return ~value
  }
}
