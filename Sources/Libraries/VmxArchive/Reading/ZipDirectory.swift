import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// Only the central directory at the end of a ZIP marks an entry as a link. A ZIP is read as a
// stream, in which a link appears as a regular file with the target as its content. In a file the
// directory is checked first, so that such a bundle is refused as in the other formats.

/// The central directory of a ZIP file (APPNOTE.TXT 4.3.12 to 4.3.16).
struct ZipDirectory {
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

  /// Returns the error of the first entry that is neither a file nor a folder; nil if there is
  /// none, or no directory.
  mutating func firstRefused(from start: Int64) -> ArchiveError? {
    guard var offset = directory(from: start) else { return nil }
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
    }
    return nil
  }

  /// Returns the offset of the directory from the record at the end of the file; nil if there is
  /// none.
  private mutating func directory(from start: Int64) -> Int64? {
    let longest = min(end - start, 22 + 65_535)
    guard let tail = bytes(at: end - longest, Int(longest)), tail.count >= 22 else { return nil }
    guard
      let place = (0...tail.count - 22).last(where: {
        tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
      })
    else { return nil }
    let offset = tail[place...].number(at: 16, 4)
    guard offset == 0xFFFF_FFFF else { return start + offset }
    // Zip64: a locator before the record points to another record, which has the offset.
    guard place >= 20, tail[(place - 20)...].starts(with: [0x50, 0x4B, 6, 7]),
      let record = bytes(at: start.addingClamped(tail[(place - 20)...].number(at: 8, 8)), 56)
    else { return nil }
    return start.addingClamped(record.number(at: 48, 8))
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
