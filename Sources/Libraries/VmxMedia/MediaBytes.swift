import SystemPackage
import VmxModel
import VmxSystem

/// The reason why a walk ended before the end of the container.
enum WalkError: Error {
  /// The structure has a fault at an offset.
  case broken(StructureFault.Kind, at: Int64)
  /// The file could not be read.
  case failed(FileError)
  /// The file has more parts than any playable file.
  case tooManyParts
  /// The file is not of a supported container format.
  case unsupported
}

/// Random access to small pieces of a file through a window of 4 KiB.
///
/// Accesses and reads are counted and limited, so that no file, even a crafted one, keeps a walk
/// busy for longer than some seconds.
final class MediaBytes {
  private static let windowSize = 4096
  // An hour of a live stream has about 300,000 blocks, and each may cost a read.
  private static let maxReads = 4_000_000
  private static let maxAccesses = 100_000_000

  let size: Int64
  private let path: FilePath
  private let descriptor: FileDescriptor
  private var window = [UInt8](repeating: 0, count: windowSize)
  private var start: Int64 = 0
  private var filled = 0
  private var reads = 0
  private var accesses = 0

  /// - Parameter descriptor: must stay open as long as this object exists.
  init(_ descriptor: FileDescriptor, _ path: FilePath, size: Int64) {
    self.descriptor = descriptor
    self.path = path
    self.size = size
  }

  /// Returns a big-endian number of up to eight bytes; nil beyond the end of the file.
  func number(at offset: Int64, bytes count: Int) throws(WalkError) -> UInt64? {
    guard offset >= 0, offset <= size - Int64(count) else { return nil }
    try spend(accesses: 1)
    if offset < start || offset + Int64(count) > start + Int64(filled) {
      filled = try read(into: &window, at: offset)
      start = offset
      // A file that was truncated since its size was read ends at its current end.
      guard filled >= count else { return nil }
    }
    let first = Int(offset - start)
    return window[first..<first + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a little-endian number of four bytes; nil beyond the end of the file.
  func littleEndian32(at offset: Int64) throws(WalkError) -> Int64? {
    let number = try number(at: offset, bytes: 4)
    return number.map { Int64(UInt32(truncatingIfNeeded: $0).byteSwapped) }
  }

  /// Returns one byte; nil at the end of the file.
  func byte(at offset: Int64) throws(WalkError) -> UInt8? {
    try number(at: offset, bytes: 1).map { UInt8(truncatingIfNeeded: $0) }
  }

  /// Returns up to 128 KiB from an offset on; fewer bytes than requested at the end of the file.
  func piece(at offset: Int64, count: Int) throws(WalkError) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    var piece = [UInt8](repeating: 0, count: Int(min(Int64(min(count, 128 << 10)), size - offset)))
    let got = try read(into: &piece, at: offset)
    return got == piece.count ? piece : Array(piece[..<got])
  }

  private func read(into buffer: inout [UInt8], at offset: Int64) throws(WalkError) -> Int {
    try spend(reads: 1)
    var done = 0
    while done < buffer.count {
      let count: Int
      do {
        count = try buffer.withUnsafeMutableBytes { bytes in
          try descriptor.read(
            fromAbsoluteOffset: offset + Int64(done),
            into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
        }
      } catch {
        throw .failed(.failed(.read, path, error as? Errno ?? .ioError))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  private func spend(accesses: Int = 0, reads: Int = 0) throws(WalkError) {
    self.accesses += accesses
    self.reads += reads
    guard self.accesses <= Self.maxAccesses, self.reads <= Self.maxReads else {
      throw .tooManyParts
    }
  }
}

/// Checks of the bytes where the next part of a container should begin.
extension MediaBytes {
  /// Whether the next bytes, as far as the file has them, are all zero.
  func isZero(from offset: Int64, count: Int = 4096) throws(WalkError) -> Bool {
    let piece = try piece(at: offset, count: count)
    return !piece.isEmpty && piece.allSatisfy { $0 == 0 }
  }

  /// Whether a web page begins at an offset.
  func isPage(at offset: Int64) throws(WalkError) -> Bool {
    MediaKind.sniff(try piece(at: offset, count: MediaKind.sniffLength)) == .html
  }

  /// Whether the rest of the file is data that programs append to media files: tags (ID3v1, ID3v2,
  /// APE, Lyrics3), the trailer of an Insta360 camera, or padding.
  func isAppendix(from offset: Int64) throws(WalkError) -> Bool {
    let rest = size - offset
    if try isPadding(from: offset) { return true }
    let front = try piece(at: offset, count: 8)
    let back = try piece(at: max(offset, size - 128), count: 128)
    func begins(_ text: String) -> Bool { front.starts(with: text.utf8) }
    func ends(_ text: String, before distance: Int) -> Bool {
      back.count >= distance && back.suffix(distance).starts(with: text.utf8)
    }
    return begins("ID3") || begins("APETAGEX") || begins("LYRICSBE") || rest == 128 && begins("TAG")
      || ends("APETAGEX", before: 32) || ends("8db42d694ccc418790edff439fe026bf", before: 32)
  }

  /// Whether the rest of the file is zeros up to the end of a block of a disk or disc, or the four
  /// zeros that end a list in QuickTime. Tools that copy blocks, such as those that recover files
  /// or read discs, round the size up; other zeros were allocated and never written.
  private func isPadding(from offset: Int64) throws(WalkError) -> Bool {
    let rest = size - offset
    guard rest < 4096, try isZero(from: offset) else { return false }
    return rest == 4 || [512, 2048, 4096].contains { size.isMultiple(of: $0) && rest < $0 }
  }

  /// Returns the fault of bytes after the end of a container.
  func tailFault(at offset: Int64) throws(WalkError) -> WalkError {
    if try isPage(at: offset) { return .broken(.page, at: offset) }
    let piece = try piece(at: offset, count: 4096)
    let isText = piece.allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
    return .broken(isText ? .message : .trailing, at: offset)
  }

  /// Returns the fault of bytes that are not a part of the container.
  func fault(at offset: Int64) throws(WalkError) -> WalkError {
    if try isPage(at: offset) { return .broken(.page, at: offset) }
    return .broken(try isZero(from: offset) ? .zeros : .disorder, at: offset)
  }

  /// Returns the fault of a part that extends beyond the end of the file.
  func truncationFault(of end: Int64?) -> WalkError {
    .broken(.truncated(missing: end.map { $0 - size }), at: size)
  }

  /// Returns the same fault, unless the part is a web page whose letters look like a part.
  func truncationFault(at offset: Int64, of end: Int64?) throws(WalkError) -> WalkError {
    try isPage(at: offset) ? .broken(.page, at: offset) : truncationFault(of: end)
  }
}
