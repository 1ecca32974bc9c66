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

  private var objects: ListWindow
  private var table: ListWindow
  /// The end of the objects, where the offset table begins.
  private let end: Int
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  /// Whether an object was decoded, by its index.
  private var decoded: [Bool]
  /// The objects that were decoded twice. Only these are kept, so memory is bounded by the shared
  /// objects, and the time by two decodings of each object.
  private var shared: [Int: MeasuredList] = [:]
  private var open: Set<Int> = []
  /// The bytes of objects that may still be read. The objects of a valid file do not overlap, so
  /// two decodings of each read at most twice the file size.
  private var budget: Int

  /// Reads the trailer of a file.
  ///
  /// - Throws: `record-unreadable`.
  init(_ bytes: ListWindow) throws(Failure) {
    var bytes = bytes
    let start = bytes.count - Self.trailer
    guard start >= Self.mark.count, try bytes[0..<Self.mark.count].elementsEqual(Self.mark) else {
      throw .unreadableList("it is truncated")
    }
    let trailer = Array(try bytes[start..<bytes.count])
    let sizes = (offset: Int(trailer[6]), reference: Int(trailer[7]))
    let figures = [8, 16, 24].map { Int(exactly: Self.number(trailer[$0..<($0 + 8)])) }
    guard (1...8).contains(sizes.offset), (1...8).contains(sizes.reference),
      let count = figures[0], let top = figures[1], let table = figures[2],
      table >= Self.mark.count, table <= start, count > 0, top < count,
      count <= (start - table) / sizes.offset
    else { throw .unreadableList("its trailer is malformed") }
    (objects, self.table) = (bytes, bytes)
    (end, offsetSize, referenceSize) = (table, sizes.offset, sizes.reference)
    (self.count, self.top) = (count, top)
    decoded = Array(repeating: false, count: count)
    budget = 2 * bytes.count
  }

  /// Returns the top object.
  ///
  /// - Throws: `record-unreadable`.
  mutating func topObject() throws(Failure) -> PropertyList {
    try object(top, depth: 0).value
  }

  /// Decodes the file, and calls the body as `PropertyListFile.forEachValue` does.
  ///
  /// - Throws: `record-unreadable`, the errors of the body.
  mutating func forEachValue(levels: Int, _ body: PropertyListFile.Body) throws {
    var values = 0
    try forEachValue(below: top, at: [], levels: levels) { path, value in
      values = values.addingClamped(value.count)
      guard values <= PropertyList.maxValues else { throw Failure.tooManyValues }
      guard path.count + value.height <= PropertyList.maxDepth else { throw Failure.nestedTooDeep }
      if !path.isEmpty { try body(path, value.value) }
    }
  }

  private mutating func forEachValue(
    below index: Int, at path: [PropertyListFile.Step], levels: Int,
    body: ([PropertyListFile.Step], MeasuredList) throws -> Void
  ) throws {
    guard path.count < levels, let members = try members(of: index), !members.values.isEmpty else {
      return try body(path, object(index, depth: path.count))
    }
    guard open.insert(index).inserted else { throw Failure.circularReference }
    defer { open.remove(index) }
    for (position, member) in members.values.enumerated() {
      let key = members.keys.isEmpty ? nil : try key(members.keys[position], depth: path.count + 1)
      try forEachValue(
        below: member, at: path + [PropertyListFile.Step(index: position, key: key)],
        levels: levels,
        body: body)
    }
  }

  /// Returns an object. An object that is referenced several times is decoded at most twice.
  private mutating func object(_ index: Int, depth: Int) throws(Failure) -> MeasuredList {
    if let value = shared[index] { return value }
    guard depth <= PropertyList.maxDepth else { throw .nestedTooDeep }
    let offset = try offset(of: index)
    guard open.insert(index).inserted else { throw .circularReference }
    defer { open.remove(index) }
    let value = try decode(at: offset, depth)
    if decoded[index] { shared[index] = value }
    decoded[index] = true
    return value
  }

  /// Returns the offset of an object.
  private mutating func offset(of index: Int) throws(Failure) -> Int {
    guard index < count else { throw .circularReference }
    let entry = end + index * offsetSize
    guard let offset = Int(exactly: Self.number(try table[entry..<(entry + offsetSize)])),
      offset >= Self.mark.count, offset < end
    else { throw .unreadableList("an object lies outside of the file") }
    return offset
  }

  private mutating func decode(at offset: Int, _ depth: Int) throws(Failure) -> MeasuredList {
    let (kind, low) = try head(at: offset)
    switch kind {
    case 0x0 where low == 8 || low == 9: return MeasuredList(.bool(low == 9))
    case 0x1 where low <= 4: return MeasuredList(Self.integer(try consume(offset + 1, 1 << low)))
    case 0x2 where low == 2 || low == 3:
      return MeasuredList(.real(Self.real(try consume(offset + 1, 1 << low))))
    case 0x3 where low == 3:
      return MeasuredList(.date(sinceReference: Self.real(try consume(offset + 1, 8))))
    case 0x8 where low < 8: return MeasuredList(.uid(Self.number(try consume(offset + 1, low + 1))))
    case 0x4...0x6:
      let (start, length) = try length(at: offset)
      return MeasuredList(try text(ofKind: kind, at: start, length: length))
    case 0xA...0xD: return try container(try members(at: offset), depth)
    default: throw .unreadableList("an object is of an unknown kind")
    }
  }

  private mutating func text(
    ofKind kind: UInt8, at start: Int, length: Int
  ) throws(Failure) -> PropertyList {
    switch kind {
    case 0x4: return .data(Array(try consume(start, length)))
    case 0x5: return .string(String(decoding: try consume(start, length), as: UTF8.self))
    default:
      let wide = try consume(start, length.multipliedClamped(by: 2))
      let units = stride(from: wide.startIndex, to: wide.endIndex, by: 2).map {
        UInt16(wide[$0]) << 8 | UInt16(wide[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    }
  }

  /// The indices of the objects in an array or dictionary.
  private struct Members {
    /// The keys of a dictionary; empty for an array.
    let keys: [Int]
    let values: [Int]
    let isDictionary: Bool
  }

  /// Returns the members of an array or dictionary; nil for other objects.
  private mutating func members(of index: Int) throws(Failure) -> Members? {
    let offset = try offset(of: index)
    guard try 0xA...0xD ~= head(at: offset).kind else { return nil }
    return try members(at: offset)
  }

  private mutating func members(at offset: Int) throws(Failure) -> Members {
    let isDictionary = try head(at: offset).kind == 0xD
    let (start, length) = try length(at: offset)
    let list = try references(start, length.multipliedClamped(by: isDictionary ? 2 : 1))
    return Members(
      keys: isDictionary ? Array(list.prefix(length)) : [],
      values: isDictionary ? Array(list.suffix(length)) : list, isDictionary: isDictionary)
  }

  private mutating func container(
    _ members: Members, _ depth: Int
  ) throws(Failure) -> MeasuredList {
    var names: [String] = []
    for index in members.keys { names.append(try key(index, depth: depth + 1)) }
    var values: [MeasuredList] = []
    for index in members.values { values.append(try object(index, depth: depth + 1)) }
    guard members.isDictionary else {
      return try MeasuredList(.array(values.map(\.value)), of: values)
    }
    let fields = zip(names, values).map { PropertyList.Field($0, $1.value) }
    return try MeasuredList(.dictionary(fields), of: values)
  }

  private mutating func key(_ index: Int, depth: Int) throws(Failure) -> String {
    guard case .string(let name) = try object(index, depth: depth).value else {
      throw .unreadableList("a key is not text")
    }
    return name
  }

  private mutating func references(_ start: Int, _ length: Int) throws(Failure) -> [Int] {
    guard length <= 2 * PropertyList.maxValues else { throw .tooManyValues }
    let list = try consume(start, length * referenceSize)
    var indices: [Int] = []
    indices.reserveCapacity(length)
    var position = list.startIndex
    while position < list.endIndex {
      guard let index = Int(exactly: Self.number(list[position..<(position + referenceSize)]))
      else {
        throw .circularReference
      }
      indices.append(index)
      position += referenceSize
    }
    return indices
  }

  /// Returns the kind of an object, and the length or size in its first byte.
  private mutating func head(at offset: Int) throws(Failure) -> (kind: UInt8, low: Int) {
    let byte = try objects[offset..<(offset + 1)].first ?? 0
    return (byte >> 4, Int(byte & 0x0F))
  }

  /// Returns the start of an object's contents, and its length.
  private mutating func length(at offset: Int) throws(Failure) -> (start: Int, length: Int) {
    let low = try head(at: offset).low
    guard low == 15 else { return (offset + 1, low) }
    guard offset + 1 < end, let mark = try objects[(offset + 1)..<(offset + 2)].first,
      mark & 0xF8 == 0x10
    else { throw .unreadableList("an object has no length") }
    let size = 1 << Int(mark & 7)
    guard size <= 8, offset + 2 + size <= end,
      let length = Int(exactly: Self.number(try objects[(offset + 2)..<(offset + 2 + size)]))
    else { throw .unreadableList("an object is too long") }
    return (offset + 2 + size, length)
  }

  /// Returns a range of object bytes and subtracts its length from the budget.
  private mutating func consume(_ start: Int, _ length: Int) throws(Failure) -> ArraySlice<UInt8> {
    guard start <= end, length <= end - start else {
      throw .unreadableList("an object goes beyond the file")
    }
    guard length <= budget else { throw .unreadableList("its objects overlap") }
    budget -= length
    return try objects[start..<(start + length)]
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
