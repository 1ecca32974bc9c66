import Glibc
import VmxJSON
import VmxModel
import VmxSystem

/// The bytes of a store after the end of its mapping, read as they are appended. Mapping the file
/// again for each line would cost more than reading the line.
///
/// Unchecked, because a pointer is not Sendable. Bytes before the bound of an image never change.
/// Only bytes after the bounds of all images are read again, by one thread at a time.
final class TailBytes: @unchecked Sendable {
  /// The capacity in bytes; a longer tail is mapped instead.
  private static let capacity = 1 << 20

  /// The offset in the file of the first byte.
  private let start: Int
  private let base = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TailBytes.capacity + JSONParser.padding, alignment: 16)

  /// Creates an empty buffer that starts at the end of a complete line.
  init(from start: Int) {
    self.start = start
  }

  deinit { base.deallocate() }

  /// Reads the bytes after the bound of the latest image.
  ///
  /// - Parameters:
  ///   - bound: the bound of the image.
  ///   - size: the size of the file in bytes.
  /// - Returns: the new bounds; nil if the capacity does not suffice.
  func read(
    _ file: StoreFile, from bound: Int, to size: Int
  ) throws(StoreError) -> TailEnds? {
    guard size >= bound, size - start <= Self.capacity else { return nil }
    let fresh = UnsafeMutableRawBufferPointer(rebasing: base[(bound - start)..<(size - start)])
    let count: Int
    do throws(FileError) {
      count = try file.file.read(into: fresh, at: Int64(bound))
    } catch {
      throw .file(error)
    }
    // The file may have been truncated since its size was read; the missing bytes never counted.
    let there = UnsafeRawBufferPointer(rebasing: fresh[..<count])
    guard let ends = TailEnds.ends(in: there, from: 0) else { return nil }
    return TailEnds(bound: bound + ends.bound, lastNewline: bound + ends.lastNewline)
  }

  /// Returns the bytes between two offsets in the file.
  func bytes(from offset: Int, to end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: base[(offset - start)..<(end - start)])
  }
}

/// The ends of a store, found by reading its last bytes, never by mapping it.
struct TailEnds: Equatable {
  /// The offset after the last complete line that is not part of an unfinished transaction.
  var bound: Int
  /// The offset after the last newline.
  var lastNewline: Int

  /// Returns the ends within the first `size` bytes.
  static func ends(of file: StoreFile, size: Int) throws(StoreError) -> TailEnds {
    var window = min(size, 4096)
    while true {
      let start = size - window
      let bytes = try file.bytes(from: start, count: window)
      // The file may have been truncated since its size was read; the missing bytes never counted.
      if bytes.count < window { return try ends(of: file, size: start + bytes.count) }
      if let ends = ends(in: bytes, from: start) { return ends }
      window = min(size, window * 4)
    }
  }

  /// Returns the ends within bytes that begin at an offset; nil if earlier bytes are needed.
  static func ends(in bytes: [UInt8], from start: Int) -> TailEnds? {
    bytes.withUnsafeBytes { ends(in: $0, from: start) }
  }

  /// Returns the ends within bytes that begin at an offset; nil if earlier bytes are needed.
  static func ends(in bytes: UnsafeRawBufferPointer, from start: Int) -> TailEnds? {
    guard let last = ByteSearch.lastNewline(in: bytes) else {
      return start == 0 ? TailEnds(bound: 0, lastNewline: 0) : nil
    }
    let lastNewline = start + last + 1
    var end = last + 1
    var open: String?
    while end > 0 {
      let before = ByteSearch.lastNewline(in: .init(rebasing: bytes[..<(end - 1)]))
      if before == nil, start > 0 { return nil }
      let first = before.map { $0 + 1 } ?? 0
      let marks = marks(of: .init(rebasing: bytes[first..<(end - 1)]))
      guard let transaction = marks?.transaction, marks?.commits == false,
        open == nil || open == transaction
      else { break }
      open = transaction
      end = first
    }
    return TailEnds(bound: start + end, lastNewline: lastNewline)
  }

  private static func marks(
    of line: UnsafeRawBufferPointer
  ) -> (transaction: String?, commits: Bool)? {
    if let start = LineStart(line) {
      let transaction = start.transaction.map { String(decoding: $0, as: UTF8.self) }
      return (transaction, start.commits)
    }
    guard line.count <= LineWriter.maxLineLength else { return nil }
    return JSONParser().withTape(copying: line) { LineFacts($0) }
      .map { ($0.transaction, $0.commits) }
  }
}
