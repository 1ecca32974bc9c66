import Glibc
import VmxJSON
import VmxSystem

/// The bytes of a store after the end of its mapping, read as they are appended. Mapping the file
/// again for each line would cost more than reading the line.
///
/// Unchecked, because a pointer is not Sendable. Bytes before the bound of an image never change.
/// Only bytes after the bounds of all images are read again, by one thread at a time.
final class TailBytes: @unchecked Sendable {
  /// The capacity in bytes; a longer tail is mapped instead.
  private static let room = 1 << 20

  /// The offset in the file of the first byte.
  private let start: Int
  private let base = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TailBytes.room + JSONParser.padding, alignment: 16)

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
  ) throws(StoreError) -> TailTrim.Ends? {
    guard size >= bound, size - start <= Self.room else { return nil }
    let fresh = UnsafeMutableRawBufferPointer(rebasing: base[(bound - start)..<(size - start)])
    let count: Int
    do throws(FileError) {
      count = try file.file.read(into: fresh, at: Int64(bound))
    } catch {
      throw .file(error)
    }
    // The file may have been truncated since its size was read; the missing bytes never counted.
    let there = UnsafeRawBufferPointer(rebasing: fresh[..<count])
    guard let ends = TailTrim.ends(in: there, from: 0) else { return nil }
    return TailTrim.Ends(bound: bound + ends.bound, lastNewline: bound + ends.lastNewline)
  }

  /// Returns the bytes between two offsets in the file.
  func bytes(from offset: Int, to end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: base[(offset - start)..<(end - start)])
  }
}
