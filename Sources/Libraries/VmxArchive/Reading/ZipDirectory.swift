import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// Only the central directory at the end of a ZIP marks an entry as a link. A ZIP is read as a
// stream, in which a link appears as a regular file with the target as its content. In a file the
// directory is checked first, so that such a bundle is refused as in the other formats.
//
// A stream of entries does not show that the file is truncated in the directory, or that an entry
// with a damaged header was skipped. So the directory must be complete, and the number of its
// entries that of the stream. From a pipe, only the record at its end is checked.

/// The central directory of a ZIP file (APPNOTE.TXT 4.3.12 to 4.3.16).
struct ZipDirectory {
  /// The position of the directory, and the number of its entries.
  private struct Position {
    let start: Int64
    let size: Int64
    let entries: Int64
  }

  /// The maximum size in bytes of what follows the directory: two records, a locator, a comment.
  static let maxTrailerBytes = 56 + 20 + 22 + 65_535
  private static let headerSize = 46
  private static let windowSize = 256 << 10

  private let descriptor: Int32
  private let end: Int64
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0

  /// Prepares the search in a file, from its start to its end.
  init(_ descriptor: Int32, end: Int64) {
    self.descriptor = descriptor
    self.end = end
  }

  /// Prepares the search in the last bytes of a pipe, of which `end` bytes were read.
  init(tail: [UInt8], end: Int64) {
    (descriptor, window) = (-1, tail)
    self.end = end
    windowStart = end - Int64(tail.count)
  }

  /// Returns the number of entries as the end of the ZIP declares it; nil if the end is missing.
  mutating func entries(from start: Int64) -> Int64? { position(from: start)?.entries }

  /// Returns the error of an incomplete directory, or of the first entry that is neither a file nor
  /// a folder; nil if there is none.
  mutating func fault(from start: Int64) -> ArchiveError? {
    guard let directory = position(from: start) else { return .damaged(entry: nil) }
    var offset = directory.start
    var count: Int64 = 0
    while let header = bytes(at: offset, Self.headerSize), header.starts(with: [0x50, 0x4B, 1, 2]) {
      let length = Int(header.number(at: 28, 2))
      // The upper half of the attributes is the mode, if the archiver ran on Unix.
      let mode = header[5] == 3 ? UInt32(header.number(at: 40, 2)) & S_IFMT : 0
      if mode != 0, mode != S_IFREG, mode != S_IFDIR {
        let name = bytes(at: offset + Int64(Self.headerSize), length) ?? []
        return .refused(entry: PathBytes(entry: Array(name)), mode == S_IFLNK ? .link : .special)
      }
      offset +=
        Int64(Self.headerSize + length) + header.number(at: 30, 2) + header.number(at: 32, 2)
      count += 1
    }
    let isWhole = offset == directory.start.addingClamped(directory.size)
    return isWhole && count == directory.entries ? nil : .damaged(entry: nil)
  }

  /// Returns the position of the directory from the record at the end of the file; nil if there is
  /// none. The comment of that record ends with the file; only zeros may follow, with which some
  /// media and copying programs fill the last block.
  private mutating func position(from start: Int64) -> Position? {
    let longest = min(end - start, 22 + 65_535)
    guard longest >= 22, let tail = bytes(at: end - longest, Int(longest)) else { return nil }
    guard
      let position = tail.indices.dropLast(21).last(where: {
        guard tail[$0...].starts(with: [0x50, 0x4B, 5, 6]) else { return false }
        let comment = $0 + 22 + Int(tail[$0...].number(at: 20, 2))
        return comment <= tail.endIndex && tail[comment...].allSatisfy { $0 == 0 }
      })
    else { return nil }
    let record = tail[position...]
    let (entries, size, offset) = (
      record.number(at: 10, 2), record.number(at: 12, 4), record.number(at: 16, 4)
    )
    let recordStart = end - Int64(tail.endIndex - position)
    // Zip64: a locator before the record points to another record, which has the numbers.
    if entries == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF,
      let locator = bytes(at: recordStart - 20, 20), locator.starts(with: [0x50, 0x4B, 6, 7])
    {
      guard let wide = bytes(at: start.addingClamped(locator.number(at: 8, 8)), 56),
        wide.starts(with: [0x50, 0x4B, 6, 6])
      else { return nil }
      return Position(
        start: start.addingClamped(wide.number(at: 48, 8)), size: wide.number(at: 40, 8),
        entries: wide.number(at: 32, 8))
    }
    return Position(start: start.addingClamped(offset), size: size, entries: entries)
  }

  /// Returns the bytes at an offset; nil beyond the end of the file.
  private mutating func bytes(at offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= end - Int64(count) else { return nil }
    if offset < windowStart || offset + Int64(count) > windowStart + Int64(window.count) {
      window = [UInt8](repeating: 0, count: Int(min(end - offset, Int64(Self.windowSize))))
      windowStart = offset
      guard pread(descriptor, &window, window.count, off_t(offset)) == window.count else {
        window = []
        return nil
      }
    }
    let first = Int(offset - windowStart)
    return ArraySlice(Array(window[first..<first + count]))
  }
}

extension ArraySlice<UInt8> {
  /// Returns a little-endian number of `count` bytes, clamped to the maximum of `Int64`.
  fileprivate func number(at offset: Int, _ count: Int) -> Int64 {
    let bytes = self[(startIndex + offset)..<(startIndex + offset + count)]
    return Int64(clamping: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
