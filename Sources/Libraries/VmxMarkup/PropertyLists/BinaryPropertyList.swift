import VmxModel

// The format (CFBinaryPList.c, Apple's open source): `bplist00`, objects, a table of their offsets,
// and a trailer of 32 bytes. The trailer has the sizes of offsets and references, the number of
// objects, the top object, and the position of the table. All numbers are big-endian. An object
// begins with a byte: the kind in the upper half, the length in the lower half. The length 15 means
// that an integer object with the length follows.

/// Parses the binary form of property lists.
struct BinaryPropertyList {
  /// The magic bytes at the start of a file.
  static let mark = Array("bplist00".utf8)
  private static let trailer = 32

  private let bytes: [UInt8]
  /// The end of the objects, where the offset table begins.
  private let end: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private var known: [Int: MeasuredList] = [:]
  private var open: Set<Int> = []
  /// The bytes of objects that may still be read. The objects of a valid file do not overlap, so
  /// their total size is at most the file size.
  private var budget: Int

  /// Returns the top object of a file.
  ///
  /// - Throws: `record-unreadable`.
  static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
    var (reader, top) = try opened(bytes)
    return try reader.object(top, depth: 0).value
  }

  private static func opened(_ bytes: [UInt8]) throws(Failure) -> (BinaryPropertyList, top: Int) {
    let start = bytes.count - trailer
    guard start >= mark.count, bytes.starts(with: mark) else {
      throw .unreadableList("it is truncated")
    }
    let sizes = (offset: Int(bytes[start + 6]), reference: Int(bytes[start + 7]))
    let figures = [8, 16, 24].map { Int(exactly: number(bytes[(start + $0)..<(start + $0 + 8)])) }
    guard (1...8).contains(sizes.offset), (1...8).contains(sizes.reference),
      let count = figures[0], let top = figures[1], let table = figures[2],
      table >= mark.count, table <= start, count > 0, top < count,
      count <= (start - table) / sizes.offset
    else { throw .unreadableList("its trailer is malformed") }
    let reader = BinaryPropertyList(
      bytes: bytes, end: table, offsetSize: sizes.offset, referenceSize: sizes.reference,
      count: count, budget: bytes.count)
    return (reader, top)
  }

  private init(
    bytes: [UInt8], end: Int, offsetSize: Int, referenceSize: Int, count: Int, budget: Int
  ) {
    self.bytes = bytes
    self.end = end
    self.offsetSize = offsetSize
    self.referenceSize = referenceSize
    self.count = count
    self.budget = budget
  }

  /// Returns an object. An object that is referenced several times is decoded once.
  private mutating func object(_ index: Int, depth: Int) throws(Failure) -> MeasuredList {
    if let value = known[index] { return value }
    guard depth <= PropertyList.deepest else { throw .unreadableList("it is nested too deep") }
    guard index < count, open.insert(index).inserted else {
      throw .unreadableList("an object refers to itself or to none")
    }
    defer { open.remove(index) }
    let entry = end + index * offsetSize
    guard let offset = Int(exactly: Self.number(bytes[entry..<(entry + offsetSize)])),
      offset >= Self.mark.count, offset < end
    else { throw .unreadableList("an object lies outside of the file") }
    let value = try decode(at: offset, depth)
    known[index] = value
    return value
  }

  private mutating func decode(at offset: Int, _ depth: Int) throws(Failure) -> MeasuredList {
    let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0x0F))
    switch kind {
    case 0x0 where low == 8 || low == 9: return MeasuredList(.bool(low == 9))
    case 0x1 where low <= 4: return MeasuredList(Self.integer(try take(offset + 1, 1 << low)))
    case 0x2 where low == 2 || low == 3:
      return MeasuredList(.real(Self.real(try take(offset + 1, 1 << low))))
    case 0x3 where low == 3:
      return MeasuredList(.date(sinceReference: Self.real(try take(offset + 1, 8))))
    case 0x8 where low < 8: return MeasuredList(.uid(Self.number(try take(offset + 1, low + 1))))
    case 0x4...0x6:
      let (start, length) = try length(at: offset)
      return MeasuredList(try text(kind, start, length))
    case 0xA...0xC:
      let (start, length) = try length(at: offset)
      let members = try references(start, length, depth)
      return try MeasuredList(.array(members.map(\.value)), of: members)
    case 0xD:
      let (start, length) = try length(at: offset)
      return try dictionary(start, length, depth)
    default: throw .unreadableList("an object is of an unknown kind")
    }
  }

  private mutating func text(
    _ kind: UInt8, _ start: Int, _ length: Int
  ) throws(Failure) -> PropertyList {
    switch kind {
    case 0x4: return .data(Array(try take(start, length)))
    case 0x5: return .string(String(decoding: try take(start, length), as: UTF8.self))
    default:
      let wide = try take(start, length.multipliedClamped(by: 2))
      let units = stride(from: wide.startIndex, to: wide.endIndex, by: 2).map {
        UInt16(wide[$0]) << 8 | UInt16(wide[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    }
  }

  private mutating func dictionary(
    _ start: Int, _ length: Int, _ depth: Int
  ) throws(Failure) -> MeasuredList {
    let keys = try references(start, length, depth)
    let values = try references(start + length * referenceSize, length, depth)
    var fields: [PropertyList.Field] = []
    for (key, value) in zip(keys, values) {
      guard case .string(let name) = key.value else {
        throw .unreadableList("a key is not text")
      }
      fields.append(PropertyList.Field(name, value.value))
    }
    return try MeasuredList(.dictionary(fields), of: values)
  }

  private mutating func references(
    _ start: Int, _ length: Int, _ depth: Int
  ) throws(Failure) -> [MeasuredList] {
    let list = try take(start, length.multipliedClamped(by: referenceSize))
    var members: [MeasuredList] = []
    var place = list.startIndex
    while place < list.endIndex {
      guard let index = Int(exactly: Self.number(list[place..<(place + referenceSize)])) else {
        throw .unreadableList("an object refers to none")
      }
      members.append(try object(index, depth: depth + 1))
      place += referenceSize
    }
    return members
  }

  /// Returns the start of an object's contents, and its length.
  private func length(at offset: Int) throws(Failure) -> (start: Int, length: Int) {
    let low = Int(bytes[offset] & 0x0F)
    guard low == 15 else { return (offset + 1, low) }
    guard offset + 1 < end, bytes[offset + 1] & 0xF8 == 0x10 else {
      throw .unreadableList("an object has no length")
    }
    let size = 1 << Int(bytes[offset + 1] & 7)
    guard size <= 8, offset + 2 + size <= end,
      let length = Int(exactly: Self.number(bytes[(offset + 2)..<(offset + 2 + size)]))
    else { throw .unreadableList("an object is too long") }
    return (offset + 2 + size, length)
  }

  /// Returns a range of object bytes and subtracts its length from the budget.
  private mutating func take(_ start: Int, _ length: Int) throws(Failure) -> ArraySlice<UInt8> {
    guard start <= end, length <= end - start else {
      throw .unreadableList("an object goes beyond the file")
    }
    guard length <= budget else { throw .unreadableList("its objects overlap") }
    budget -= length
    return bytes[start..<(start + length)]
  }

  /// Returns an unsigned number of at most eight bytes.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns an integer. Eight bytes are signed, fewer are unsigned; sixteen bytes contain an
  /// unsigned number that exceeds eight bytes.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> PropertyList {
    guard bytes.count == 16 else { return .integer(Int64(bitPattern: number(bytes))) }
    let (high, low) = (Int64(bitPattern: number(bytes.prefix(8))), number(bytes.suffix(8)))
    if high == 0, let small = Int64(exactly: low) { return .integer(small) }
    return .real(Double(high) * 18_446_744_073_709_551_616 + Double(low))
  }

  private static func real(_ bytes: ArraySlice<UInt8>) -> Double {
    let bits = number(bytes)
    guard bytes.count == 4 else { return Double(bitPattern: bits) }
    return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }
}
