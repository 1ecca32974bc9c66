import Glibc

// libarchive reads the list of entries of a 7z into memory before it returns the first one. The
// list may be compressed: in one case a few hundred bytes expanded to 270 MiB. So its size is
// checked before libarchive opens the file. A small uncompressed header describes a compressed list
// (7zFormat.txt of the LZMA SDK, "EncodedHeader").

/// The size of the list of entries in a 7z file, as its headers declare it.
struct SevenZipHeader {
  static let magic: [UInt8] = [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]
  private static let signatureSize = 32
  private static let maxEncodedBytes: Int64 = 64 << 10

  /// The declared size of the list in bytes; nil if the headers are damaged.
  let size: Int64?
  /// The range of the list in the file; nil if it is compressed.
  private(set) var range: Range<Int64>?

  /// Reads the headers of a file that begins at an offset; nil if it is not a 7z.
  init?(_ descriptor: Int32, at start: Int64) {
    guard let signature = Self.read(descriptor, Self.signatureSize, at: start),
      signature.starts(with: Self.magic)
    else { return nil }
    let offset = Self.number(signature[12..<20])
    let length = Self.number(signature[20..<28])
    let position = start.addingReportingOverflow(Int64(Self.signatureSize)).partialValue
      .addingReportingOverflow(offset)
    guard offset >= 0, length >= 0, !position.overflow else {
      size = nil
      return
    }
    let kind = length > 0 ? Self.read(descriptor, 1, at: position.partialValue)?.first : nil
    guard kind == SevenZipNumbers.encodedHeader else {
      size = length
      let end = position.partialValue.addingReportingOverflow(length)
      if !end.overflow { range = position.partialValue..<end.partialValue }
      return
    }
    let encoded =
      length <= Self.maxEncodedBytes
      ? Self.read(descriptor, Int(length), at: position.partialValue) : nil
    var numbers = SevenZipNumbers(encoded ?? [])
    size = numbers.unpackedSize()
  }

  private static func read(_ descriptor: Int32, _ count: Int, at offset: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(clamping: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}

/// Parses the numbers of an encoded header.
struct SevenZipNumbers {
  /// The first byte of an encoded header.
  static let encodedHeader: UInt8 = 0x17
  private static let (packInfo, unpackInfo): (UInt8, UInt8) = (0x06, 0x07)
  private static let (sizes, digests, folder, unpackSizes): (UInt8, UInt8, UInt8, UInt8) =
    (0x09, 0x0A, 0x0B, 0x0C)
  /// The maximum number of streams, of coders and of folders in a header that a program writes.
  private static let maxCount: UInt64 = 32

  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// Returns the sum of all unpacked sizes; nil if the bytes are not an encoded header.
  mutating func unpackedSize() -> Int64? {
    guard byte() == Self.encodedHeader, byte() == Self.packInfo, number() != nil,
      let streams = number(), streams <= Self.maxCount, byte() == Self.sizes
    else { return nil }
    for _ in 0..<streams where number() == nil { return nil }
    var mark = byte()
    if mark == Self.digests {
      guard byte() == 1, skip(4 * streams) else { return nil }
      mark = byte()
    }
    guard mark == 0, byte() == Self.unpackInfo, byte() == Self.folder, let folders = number(),
      folders <= Self.maxCount, byte() == 0
    else { return nil }
    var outputs: UInt64 = 0
    for _ in 0..<folders {
      guard let count = foldersOutputs() else { return nil }
      outputs += count
    }
    guard byte() == Self.unpackSizes else { return nil }
    var sum: UInt64 = 0
    for _ in 0..<outputs {
      guard let size = number() else { return nil }
      sum = sum.addingReportingOverflow(size).overflow ? .max : sum + size
    }
    return Int64(clamping: sum)
  }

  /// Skips a folder, and returns the number of outputs of its coders.
  private mutating func foldersOutputs() -> UInt64? {
    guard let coders = number(), coders <= Self.maxCount else { return nil }
    var (inputs, outputs): (UInt64, UInt64) = (0, 0)
    for _ in 0..<coders {
      guard let flags = byte(), skip(UInt64(flags & 0x0F)) else { return nil }
      var (more, results): (UInt64, UInt64) = (1, 1)
      if flags & 0x10 != 0 {
        guard let first = number(), let second = number(), max(first, second) <= Self.maxCount
        else {
          return nil
        }
        (more, results) = (first, second)
      }
      if flags & 0x20 != 0 {
        guard let count = number(), skip(count) else { return nil }
      }
      inputs += more
      outputs += results
    }
    guard outputs > 0, inputs >= outputs - 1 else { return nil }
    for _ in 0..<2 * (outputs - 1) where number() == nil { return nil }
    let packed = inputs - (outputs - 1)
    if packed > 1 { for _ in 0..<packed where number() == nil { return nil } }
    return outputs
  }

  private mutating func byte() -> UInt8? { rest.popFirst() }

  private mutating func skip(_ count: UInt64) -> Bool {
    guard count <= UInt64(rest.count) else { return false }
    rest = rest.dropFirst(Int(count))
    return true
  }

  /// Reads a number. The leading one bits of its first byte give the number of bytes that follow,
  /// in little-endian order.
  private mutating func number() -> UInt64? {
    guard let first = byte() else { return nil }
    let more = (~first).leadingZeroBitCount
    var value: UInt64 = 0
    for position in 0..<more {
      guard let next = byte() else { return nil }
      value |= UInt64(next) << (8 * UInt64(position))
    }
    let high = more < 7 ? UInt64(first & (0x7F >> UInt8(more))) << (8 * UInt64(more)) : 0
    return value | high
  }
}
