import Glibc
import SystemPackage
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
  private let lastBytes: [UInt8]
  private static let lastBytesLength = 32

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
      lastBytes = earlier.lastBytes
      return
    }
    if let earlier, file.isSame(as: earlier.file), try !earlier.hasSameLastBytes(in: file, size) {
      throw .overwritten(file.file.path)
    }
    if let earlier, file.isSame(as: earlier.file), let base = earlier.base {
      let tail = earlier.tail ?? TailBytes(from: base.end)
      if let ends = try tail.read(file, from: earlier.bound, to: size) {
        bound = ends.bound
        lastNewline = ends.lastNewline
        self.base = base
        self.tail = tail
        lastBytes = try file.bytes(
          from: max(0, bound - Self.lastBytesLength), count: min(bound, Self.lastBytesLength))
        return
      }
    }
    let ends = try TailEnds.ends(of: file, size: size)
    bound = ends.bound
    lastNewline = ends.lastNewline
    base = bound == 0 ? nil : try Mapping(file.file, from: 0, to: bound)
    tail = nil
    lastBytes = try file.bytes(
      from: max(0, bound - Self.lastBytesLength), count: min(bound, Self.lastBytesLength))
  }

  /// Whether a file still has the last bytes of this image at their offset.
  private func hasSameLastBytes(in file: StoreFile, _ size: Int) throws(StoreError) -> Bool {
    guard size >= bound else { return false }
    return try file.bytes(from: bound - lastBytes.count, count: lastBytes.count) == lastBytes
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

  /// Reads the facts of a line in any form; nil if it is broken.
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
    guard line.count <= LineWriter.maxLineLength else { return nil }
    // The buffer of the tail always has padding.
    let isPadded =
      base.map { base in
        offset >= base.end || base.readable(after: offset + line.count) >= JSONParser.padding
      } ?? false
    guard isPadded else { return parser.withTape(copying: line, body) }
    return parser.withTape(ofPadded: line, body)
  }
}

/// A read-only memory mapping of bytes of a file.
///
/// Unchecked, because a pointer is not Sendable; the mapped bytes never change. The store never
/// changes bytes before a newline, and only those are ever mapped.
final class Mapping: @unchecked Sendable {
  /// The offset in the file of the first byte; a multiple of the page size.
  let start: Int
  /// The offset after the last byte.
  let end: Int
  private let base: UnsafeRawPointer

  /// Maps a range of a file, which must not be empty.
  init(_ file: borrowing OpenFile, from start: Int, to end: Int) throws(StoreError) {
    let pages = mmap(nil, end - start, PROT_READ, MAP_SHARED, file.descriptor.rawValue, start)
    guard let pages, pages != MAP_FAILED else {
      throw .file(.failed(.map, file.path, .last))
    }
    Self.endWhereCut
    base = UnsafeRawPointer(pages)
    self.start = start
    self.end = end
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: base), end - start) }

  /// Returns the bytes from an offset in the file up to the end of the mapping.
  func bytes(from offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + (offset - start), count: end - offset)
  }

  /// Returns the number of bytes after an offset that can be read safely, up to the end of the last
  /// page.
  func readable(after offset: Int) -> Int {
    (end - start + Self.pageSize - 1) / Self.pageSize * Self.pageSize - (offset - start)
  }

  /// Installs a SIGBUS handler that ends the process with a message.
  ///
  /// The kernel sends SIGBUS when another program truncates the store under a mapping. Records on
  /// the disk are not affected.
  private static let endWhereCut: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let message: StaticString = """
        vmx: error[store-damaged]: another program truncated the store while it was read
        hint: run the command again

        """
      _ = write(2, message.utf8Start, message.utf8CodeUnitCount)
      _exit(65)
    }
    _ = sigaction(SIGBUS, &action, nil)
  }()

  static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}
