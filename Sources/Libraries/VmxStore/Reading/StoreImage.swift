import Glibc
import VmxJSON
import VmxSystem

/// The store as it was at one moment: the bytes up to a bound that never moves.
///
/// The bound lies after a newline and before the lines of a transaction that is not finished, so
/// that neither what a writer is writing nor what it may have to cut back is ever looked at: a
/// page that is cut off under a mapping would kill the reader.
struct StoreImage: Sendable {
  let file: StoreFile
  /// Bytes that count.
  let bound: Int
  /// Bytes up to the last newline: what is beyond was never a line.
  let lastNewline: Int
  /// Bytes in the file at that moment.
  let size: Int
  private let base: Mapping?
  /// What was appended behind the mapping.
  private let tail: TailBytes?
  /// The last bytes that count, to notice that another program has overwritten the file.
  private let edge: [UInt8]
  private static let edgeLength = 32

  /// The file as it is now; maps as little anew as it can.
  ///
  /// - Throws: `StoreError.overwritten` if bytes that counted are gone, `.file`.
  init(of file: StoreFile, after earlier: StoreImage? = nil) throws(StoreError) {
    let size = try file.size()
    self.file = file
    self.size = size
    if let earlier, file.isSame(as: earlier.file), size == earlier.size, size == earlier.bound {
      // All of it counted then, and what counts is never changed. The file itself may be open in
      // another way now.
      bound = earlier.bound
      lastNewline = earlier.lastNewline
      base = earlier.base
      tail = earlier.tail
      edge = earlier.edge
      return
    }
    if let earlier, file.isSame(as: earlier.file), try !earlier.edgeStands(in: file, size) {
      throw .overwritten(file.file.path)
    }
    if let earlier, file.isSame(as: earlier.file), let base = earlier.base {
      let tail = earlier.tail ?? TailBytes(from: base.end)
      if let ends = try tail.read(file, from: earlier.bound, to: size) {
        bound = ends.bound
        lastNewline = ends.lastNewline
        self.base = base
        self.tail = tail
        edge = try file.bytes(
          from: max(0, bound - Self.edgeLength), count: min(bound, Self.edgeLength))
        return
      }
    }
    let ends = try TailTrim.ends(of: file, size: size)
    bound = ends.bound
    lastNewline = ends.lastNewline
    base = bound == 0 ? nil : try Mapping(file.file, from: 0, to: bound)
    tail = nil
    edge = try file.bytes(
      from: max(0, bound - Self.edgeLength), count: min(bound, Self.edgeLength))
  }

  /// Whether a file still has the last bytes of this image where they were.
  private func edgeStands(in file: StoreFile, _ size: Int) throws(StoreError) -> Bool {
    guard size >= bound else { return false }
    return try file.bytes(from: bound - edge.count, count: edge.count) == edge
  }

  /// The bytes from an offset up to the bound, or to the end of its mapping, which is the end of
  /// a line.
  @inline(__always)
  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    if let base, offset < base.end { return base.bytes(from: offset) }
    return tail?.bytes(from: offset, to: bound) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// The bytes from the start of the mapping that ends at or after an offset, up to the offset.
  func bytes(upTo offset: Int) -> (start: Int, bytes: UnsafeRawBufferPointer) {
    if let base, offset <= base.end {
      return (0, UnsafeRawBufferPointer(rebasing: base.bytes(from: 0)[..<offset]))
    }
    guard let tail, let base else { return (offset, UnsafeRawBufferPointer(start: nil, count: 0)) }
    return (base.end, tail.bytes(from: base.end, to: offset))
  }

  /// The line that starts at an offset, without its end.
  @inline(__always)
  func line(at offset: Int) -> UnsafeRawBufferPointer {
    let bytes = bytes(from: offset)
    guard let start = bytes.baseAddress, let end = memchr(start, 0x0A, bytes.count) else {
      return bytes
    }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  /// What a line tells the store, however it is written; nil if it is broken.
  func facts(
    of line: UnsafeRawBufferPointer, at offset: Int, _ parser: JSONParser
  ) -> LineFacts? {
    withTape(of: line, at: offset, parser) { LineFacts($0) }
  }

  /// Looks at the tape of a line; nil if it is broken or longer than a line may be.
  func withTape<R>(
    of line: UnsafeRawBufferPointer, at offset: Int, _ parser: JSONParser,
    _ body: (JSONTape) -> R?
  ) -> R? {
    guard line.count <= LineWriter.longest else { return nil }
    // Behind the tail there is always room.
    let isPadded =
      base.map { base in
        offset >= base.end || base.readable(after: offset + line.count) >= JSONParser.padding
      } ?? false
    guard isPadded else { return parser.withTape(copying: line, body) }
    return parser.withTape(ofPadded: line, body)
  }
}
