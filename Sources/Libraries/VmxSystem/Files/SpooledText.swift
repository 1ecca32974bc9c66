package import SystemPackage
import VmxModel

/// A text of any length that is written once, and then read in parts. Up to 1 MiB is held in
/// memory; a longer text is in an unlinked file, which the system frees with the process.
///
///     let text = SpooledText(in: scratch)
///     try bytes.withUnsafeBytes { try text.append($0) }
///     let start = try text.bytes(0..<10)
///
/// Used by one thread at a time.
package final class SpooledText {
  /// The maximum number of bytes held in memory.
  package static let maxInMemory = 1 << 20

  /// The number of bytes.
  package private(set) var count = 0
  private let folder: FilePath?
  private var bytes: [UInt8] = []
  private var file: SpoolFile?

  /// Creates an empty text.
  ///
  /// - Parameter folder: the folder of its file.
  package init(in folder: FilePath) {
    self.folder = folder
  }

  /// Creates the text of a file as it is now; nil if there is no file. A later replacement of the
  /// file does not affect it. Up to 1 MiB is read at once; a longer text is read in parts later.
  ///
  /// - Throws: `FileError.inputTooLarge` beyond the limit, `.inputNotRegular`, `.unreadable`.
  package init?(of path: FilePath, limit: Int64) throws(FileError) {
    folder = nil
    let file: SpoolFile
    do throws(FileError) {
      file = try SpoolFile(of: path)
      count = try file.size()
    } catch {
      switch error {
      case .failed(.open, _, .noSuchFileOrDirectory), .failed(.open, _, .notDirectory): return nil
      default: throw error.ofInput
      }
    }
    if count > limit { throw .inputTooLarge(path, limit: ByteCount(clamping: limit)) }
    if count <= Self.maxInMemory { bytes = try file.read(0..<count) } else { self.file = file }
  }

  /// Appends bytes.
  ///
  /// - Throws: `disk-full`, errors of the file system.
  package func append(_ piece: UnsafeRawBufferPointer) throws(FileError) {
    if file == nil, let folder, count + piece.count > Self.maxInMemory {
      let opened = try SpoolFile(in: folder)
      try opened.write(bytes, at: 0)
      (file, bytes) = (opened, [])
    }
    if let file { try file.write(piece, at: Int64(count)) } else { bytes += piece }
    count += piece.count
  }

  /// Returns a part of the text.
  ///
  /// - Throws: `FileError.changedWhileRead` if its file has become shorter, errors of reading.
  package func bytes(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    guard let file else { return Array(bytes[range]) }
    return try file.read(range)
  }

  /// Calls the closure with the whole text, piece by piece.
  ///
  /// - Throws: errors of reading, and of the closure.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var offset = 0
    while offset < count {
      let piece = try bytes(offset..<min(count, offset + Self.maxInMemory))
      try piece.withUnsafeBytes(body)
      offset += piece.count
    }
  }

  /// Calls the closure with the range of each line that is not empty, without its newline.
  ///
  /// - Throws: errors of reading, and of the closure.
  package func forEachLine(_ body: (Range<Int>) throws -> Void) throws {
    var start = 0
    var offset = 0
    while offset < count {
      let window = try bytes(offset..<min(count, offset + Self.maxInMemory))
      for (position, byte) in window.enumerated() where byte == UInt8(ascii: "\n") {
        if offset + position > start { try body(start..<offset + position) }
        start = offset + position + 1
      }
      offset += window.count
    }
    if start < count { try body(start..<count) }
  }
}

/// An open file whose name may have been removed.
private final class SpoolFile {
  private let path: FilePath
  private let file: OpenFile

  init(in folder: FilePath) throws(FileError) {
    let path = folder.appending(LibraryLayout.temporaryName())
    let file = try OpenFile(path, .readWrite, options: [.create, .exclusiveCreate])
    try removeFile(path)
    self.path = path
    self.file = file
  }

  init(of path: FilePath) throws(FileError) {
    self.path = path
    file = try OpenFile(path, .readOnly, followingLinks: true)
  }

  func size() throws(FileError) -> Int { Int(try file.facts().size) }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(FileError) {
    try file.write(bytes, at: offset)
  }

  func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    try file.write(bytes, at: offset)
  }

  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    let bytes = try file.read(range.count, at: Int64(range.lowerBound))
    guard bytes.count == range.count else { throw .changedWhileRead(path) }
    return bytes
  }
}
