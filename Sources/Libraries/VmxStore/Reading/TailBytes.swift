import Glibc
import VmxJSON
import VmxSystem

/// The bytes of a store from where its mapping ends, read as they are appended: a mapping for each
/// line costs more than the line.
///
/// Unchecked, because the pointer alone is no Sendable: bytes before the bound of an image never
/// change, and only what lies behind the bounds of all images is read anew, by one thread at a
/// time.
final class TailBytes: @unchecked Sendable {
  /// Bytes that it takes; with more the store is mapped anew.
  private static let room = 1 << 20

  /// Offset in the file of the first byte.
  private let start: Int
  private let base = UnsafeMutableRawBufferPointer.allocate(
    byteCount: TailBytes.room + JSONParser.padding, alignment: 16)

  /// Nothing yet, from the end of a line that counts.
  init(from start: Int) {
    self.start = start
  }

  deinit { base.deallocate() }

  /// Reads what a file has behind an image of it, the latest one.
  ///
  /// - Parameters:
  ///   - bound: where the image ends.
  ///   - size: bytes in the file.
  /// - Returns: how much of it counts; nil where there is no room for it.
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
    // The file may have been cut since its size was taken; what is gone never counted.
    let there = UnsafeRawBufferPointer(rebasing: fresh[..<count])
    guard let ends = TailTrim.ends(in: there, from: 0) else { return nil }
    return TailTrim.Ends(bound: bound + ends.bound, lastNewline: bound + ends.lastNewline)
  }

  /// The bytes from an offset in the file up to another.
  func bytes(from offset: Int, to end: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: base[(offset - start)..<(end - start)])
  }
}
