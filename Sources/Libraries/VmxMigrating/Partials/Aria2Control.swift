import VmxModel

/// The control file of a download of aria2: the pieces of the file that are complete.
///
/// The format is specified in aria2's technical notes, in versions 0 (host byte order) and 1
/// (network byte order). The complete blocks of pieces in flight count as held.
struct Aria2Control: Equatable {
  /// The maximum size of a control file, 1 MiB. It describes up to 8 TiB in the usual pieces of 1
  /// MiB.
  static let maxBytes: Int64 = 1 << 20
  /// The maximum number of pieces in flight. aria2 has one for each connection.
  private static let maxInFlight = 256

  /// The size in bytes of the blocks in which a piece arrives.
  private static let block: Int64 = 16 << 10

  /// The size of the complete file in bytes.
  let total: Int64
  /// The ranges of complete pieces, and of complete blocks of other pieces; empty for a torrent.
  let completedRanges: ByteRangeSet
  /// Whether the download is a torrent.
  let isTorrent: Bool

  /// Whether all pieces are complete.
  var isComplete: Bool { completedRanges.ranges == [ByteRange(0..<total)] }

  /// Parses a control file.
  ///
  /// - Throws: `record-unreadable` for a file that is truncated, or whose fields contradict each
  ///   other.
  init(_ bytes: [UInt8]) throws(Failure) {
    var reader = Reader(bytes)
    let version = try reader.number(of: 2)
    guard version <= 1 else { throw .unreadableControl("its version is \(version)") }
    reader.isBigEndian = version == 1 || UInt16(1).bigEndian == 1
    let extensions = try reader.number(of: 4)
    let hash = try reader.bytes(reader.number(of: 4))
    isTorrent = extensions & 1 != 0 || !hash.isEmpty
    let piece = try reader.number(of: 4)
    total = try reader.number(of: 8)
    _ = try reader.number(of: 8)
    guard piece > 0, total > 0 else { throw .unreadableControl("it has no length") }
    guard !isTorrent else {
      completedRanges = ByteRangeSet()
      return
    }
    let pieces = (total - 1) / piece + 1
    let bitfield = try reader.bytes(reader.number(of: 4))
    var held = try Self.completedRanges(bitfield, of: piece, total)
    let inFlight = try reader.number(of: 4)
    guard inFlight <= Self.maxInFlight else {
      throw .unreadableControl("it has \(inFlight) pieces in flight")
    }
    for _ in 0..<inFlight {
      let index = try reader.number(of: 4)
      let length = try reader.number(of: 4)
      let blocks = try reader.bytes(reader.number(of: 4))
      guard index < pieces, length <= min(piece, total - index * piece) else {
        throw .unreadableControl("a piece in flight is none of the file")
      }
      let start = index * piece
      for range in try Self.completedRanges(blocks, of: Self.block, length).ranges {
        held.insert(ByteRange(start + range.start..<start + range.end))
      }
    }
    guard reader.isAtEnd else { throw .unreadableControl("bytes follow its end") }
    self.completedRanges = held
  }

  /// Returns the byte ranges of the pieces whose bits are set.
  private static func completedRanges(
    _ bitfield: ArraySlice<UInt8>, of piece: Int64, _ total: Int64
  ) throws(Failure) -> ByteRangeSet {
    let pieces = total > 0 ? (total - 1) / piece + 1 : 0
    guard pieces > 0, Int64(bitfield.count) == (pieces - 1) / 8 + 1 else {
      throw .unreadableControl("it has \(bitfield.count) bytes for \(pieces) pieces")
    }
    var held = ByteRangeSet()
    var start: Int64?
    func isSet(_ index: Int64) -> Bool {
      bitfield[bitfield.startIndex + Int(index / 8)] & (0x80 >> UInt8(index % 8)) != 0
    }
    for index in 0..<Int64(bitfield.count) * 8 {
      guard isSet(index) else {
        if let first = start { held.insert(ByteRange(first * piece..<index * piece)) }
        start = nil
        continue
      }
      guard index < pieces else { throw .unreadableControl("it has bits of no piece") }
      start = start ?? index
      if index == pieces - 1, let first = start {
        held.insert(ByteRange(first * piece..<total))
        start = nil
      }
    }
    return held
  }

  /// Reads numbers and bytes in the order of the file.
  private struct Reader {
    var isBigEndian = true
    private let contents: [UInt8]
    private var offset = 0

    init(_ contents: [UInt8]) {
      self.contents = contents
    }

    var isAtEnd: Bool { offset == contents.count }

    mutating func bytes(_ count: Int64) throws(Failure) -> ArraySlice<UInt8> {
      guard count <= Int64(contents.count - offset) else { throw .unreadableControl("it is cut") }
      defer { offset += Int(count) }
      return contents[offset..<offset + Int(count)]
    }

    mutating func number(of count: Int64) throws(Failure) -> Int64 {
      let digits = try bytes(count)
      var value: UInt64 = 0
      for digit in isBigEndian ? Array(digits) : digits.reversed() {
        value = value << 8 | UInt64(digit)
      }
      guard let number = Int64(exactly: value), number <= 1 << 60 else {
        throw .unreadableControl("a number is too large")
      }
      return number
    }
  }
}

extension Failure {
  fileprivate static func unreadableControl(_ reason: String) -> Failure {
    Failure(.recordUnreadable, "the control file of aria2 cannot be read: \(reason)")
  }
}
