import Glibc
import VmxJSON
import VmxModel
import VmxSystem

/// The store as it was at one moment: the bytes up to a bound that never moves.
///
/// The bound lies after a newline and before the lines of an unfinished transaction. So a reader
/// never reads bytes that a writer is writing or may have to truncate. Reading a mapped page that
/// was truncated would kill the reader.
struct StoreImage: Sendable {
  let file: StoreFile
  /// The number of bytes that belong to complete lines and finished transactions.
  let bound: Int
  /// The number of bytes up to the last newline; bytes after it were never a complete line.
  let lastNewline: Int
  /// The size of the file in bytes at that moment.
  let size: Int
  private let base: Mapping?
  /// The bytes that were appended after the mapping was made.
  private let tail: TailBytes?
  /// The last bytes before the bound, to detect that another program has overwritten the file.
  private let edge: [UInt8]
  private static let edgeLength = 32

  /// Reads the current end of the file, and reuses the earlier mapping if it can.
  ///
  /// - Throws: `StoreError.overwritten` if bytes before the earlier bound are gone, `.file`.
  init(of file: StoreFile, after earlier: StoreImage? = nil) throws(StoreError) {
    let size = try file.size()
    self.file = file
    self.size = size
    if let earlier, file.isSame(as: earlier.file), size == earlier.size, size == earlier.bound {
      // The file has not grown, and bytes before the bound never change. Only the open mode of the
      // file may be another one.
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

  /// Whether a file still has the last bytes of this image at their offset.
  private func edgeStands(in file: StoreFile, _ size: Int) throws(StoreError) -> Bool {
    guard size >= bound else { return false }
    return try file.bytes(from: bound - edge.count, count: edge.count) == edge
  }

  /// Returns the bytes from an offset up to the bound, or up to the end of the mapping, which is
  /// the end of a line.
  @inline(__always)
  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    if let base, offset < base.end { return base.bytes(from: offset) }
    return tail?.bytes(from: offset, to: bound) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Returns the bytes before an offset, from the start of the mapping or tail that holds them.
  func bytes(upTo offset: Int) -> (start: Int, bytes: UnsafeRawBufferPointer) {
    if let base, offset <= base.end {
      return (0, UnsafeRawBufferPointer(rebasing: base.bytes(from: 0)[..<offset]))
    }
    guard let tail, let base else { return (offset, UnsafeRawBufferPointer(start: nil, count: 0)) }
    return (base.end, tail.bytes(from: base.end, to: offset))
  }

  /// Returns the line that starts at an offset, without its line end.
  @inline(__always)
  func line(at offset: Int) -> UnsafeRawBufferPointer {
    let bytes = bytes(from: offset)
    guard let start = bytes.baseAddress, let end = memchr(start, 0x0A, bytes.count) else {
      return bytes
    }
    return UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(end) - start)
  }

  /// Reads the facts of a line in whatever form it is written; nil if it is broken.
  func facts(
    of line: UnsafeRawBufferPointer, at offset: Int, _ parser: JSONParser
  ) -> LineFacts? {
    withTape(of: line, at: offset, parser) { LineFacts($0) }
  }

  /// Parses a line and calls the body with its tape; nil if it is broken or longer than the limit.
  func withTape<R>(
    of line: UnsafeRawBufferPointer, at offset: Int, _ parser: JSONParser,
    _ body: (JSONTape) -> R?
  ) -> R? {
    guard line.count <= LineWriter.longest else { return nil }
    // The buffer of the tail always has padding.
    let isPadded =
      base.map { base in
        offset >= base.end || base.readable(after: offset + line.count) >= JSONParser.padding
      } ?? false
    guard isPadded else { return parser.withTape(copying: line, body) }
    return parser.withTape(ofPadded: line, body)
  }
}
