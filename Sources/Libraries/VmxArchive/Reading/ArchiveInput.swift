import CArchive
import Glibc
import SystemPackage
import VmxSystem

/// The descriptor from which libarchive's callbacks read: a pipe, or a file from its current
/// offset.
final class ArchiveInput {
  private static let bufferSize = 1 << 20
  /// The maximum number of bytes after the entries of a ZIP from a pipe.
  private static let maxDirectoryBytes: Int64 = 1 << 30

  /// The number of bytes read and skipped. For a file it never exceeds the size of the archive,
  /// even if bytes are read again.
  var consumed: Int64 { min(bytesPassed, size ?? .max) }
  /// The error of the first read that failed.
  private(set) var errno: Errno?
  /// Whether the archive is a 7z from a pipe, which cannot be read.
  private(set) var needsFile = false

  private let descriptor: Int32
  private let shouldContinue: (Int64) -> Bool
  /// The offset of the archive, and its size; nil for a pipe.
  private let start: Int64
  private let size: Int64?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bufferSize, alignment: 4096)
  private var bytesPassed: Int64 = 0
  /// The last bytes read from a pipe, at least as many as may follow the directory of a ZIP.
  private var tail: [UInt8] = []
  /// The range of the file that libarchive receives in one piece, and the buffer of that piece.
  private var list: Range<Int64>?
  private var listBuffer: UnsafeMutableRawBufferPointer?

  /// - Parameter shouldContinue: called while a pipe delivers no bytes, with the idle time in
  ///   milliseconds. Once it returns false, reading ends with `.interrupted`.
  init(_ descriptor: Int32, while shouldContinue: @escaping (Int64) -> Bool) {
    self.descriptor = descriptor
    self.shouldContinue = shouldContinue
    var facts = Glibc.stat()
    start = Int64(lseek(descriptor, 0, SEEK_CUR))
    let isFile = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    size = isFile ? max(0, Int64(facts.st_size) - start) : nil
  }

  deinit {
    buffer.deallocate()
    listBuffer?.deallocate()
  }

  /// Sets the range of a 7z's list of entries, which is then passed to libarchive in one piece.
  /// Otherwise libarchive joins pieces in a buffer of its own, which it keeps to the end.
  func readInOnePiece(_ list: Range<Int64>) {
    if let size, list.lowerBound >= start, list.upperBound <= start + size { self.list = list }
  }

  /// Registers the callbacks with libarchive, and opens the archive.
  func open(_ archive: OpaquePointer) -> Int32 {
    let context = Unmanaged.passUnretained(self).toOpaque()
    archive_read_set_callback_data(archive, context)
    archive_read_set_read_callback(archive) { archive, context, bytes in
      guard let input = ArchiveInput.of(context) else { return -1 }
      let count = input.read()
      bytes?.pointee = UnsafeRawPointer((input.listBuffer ?? input.buffer).baseAddress)
      if count < 0 { vmx_archive_set_error(archive, input.errno?.rawValue ?? EINVAL) }
      return count
    }
    if size != nil {
      archive_read_set_skip_callback(archive) { _, context, count in
        ArchiveInput.of(context)?.skip(count) ?? 0
      }
      archive_read_set_seek_callback(archive) { _, context, offset, origin in
        ArchiveInput.of(context)?.seek(offset, origin) ?? Int64(ARCHIVE_FATAL)
      }
    }
    return archive_read_open1(archive)
  }

  /// Returns the headers of a 7z file; nil for a pipe and for other formats.
  func sevenZip() -> SevenZipHeader? {
    size == nil ? nil : SevenZipHeader(descriptor, at: start)
  }

  /// Returns the error of the directory at the end of a ZIP, or of an entry that it refuses; nil if
  /// there is none, and for a pipe.
  func faultOfZip() -> ArchiveError? {
    guard let size else { return nil }
    var directory = ZipDirectory(descriptor, end: start + size)
    return directory.fault(from: start)
  }

  /// Returns the number of entries in the directory at the end of a ZIP; nil if the end is missing.
  /// Reads a pipe to its end.
  func entriesOfZip() -> Int64? {
    if let size {
      var directory = ZipDirectory(descriptor, end: start + size)
      return directory.entries(from: start)
    }
    let limit = bytesPassed + Self.maxDirectoryBytes
    while case let count = read(), count > 0, bytesPassed <= limit {}
    var directory = ZipDirectory(tail: tail, end: bytesPassed)
    return errno == nil ? directory.entries(from: 0) : nil
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> ArchiveInput? {
    context.map { Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
  }

  private func read() -> Int {
    // libarchive has consumed the previous piece.
    listBuffer?.deallocate()
    listBuffer = nil
    if let list, Int64(lseek(descriptor, 0, SEEK_CUR)) == list.lowerBound { return read(list) }
    while errno == nil, !needsFile {
      guard size != nil || isReadyForReading else {
        errno = .interrupted
        break
      }
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        needsFile =
          size == nil && bytesPassed == 0 && buffer[..<count].starts(with: SevenZipHeader.magic)
        if size == nil { keepTail(buffer[..<count]) }
        bytesPassed += Int64(count)
        return needsFile ? -1 : count
      }
      if Errno.last != .interrupted { errno = .last }
    }
    return -1
  }

  /// Keeps the last bytes of a pipe that begins like a ZIP.
  private func keepTail(_ piece: Slice<UnsafeMutableRawBufferPointer>) {
    guard bytesPassed == 0 ? piece.first == 0x50 : !tail.isEmpty else { return }
    let length = ZipDirectory.maxTrailerBytes
    if tail.count + piece.count > 2 * length {
      tail.removeFirst(max(0, tail.count - max(0, length - piece.count)))
    }
    tail += piece.suffix(length)
  }

  /// Reads the list into a separate buffer; fewer bytes if the file was truncated since.
  private func read(_ list: Range<Int64>) -> Int {
    let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: list.count, alignment: 4096)
    listBuffer = whole
    var filled = 0
    while filled < whole.count {
      let count = Glibc.read(
        descriptor, whole.baseAddress?.advanced(by: filled), whole.count - filled)
      if count == 0 { break }
      if count > 0 {
        filled += count
      } else if Errno.last != .interrupted {
        errno = .last
        return -1
      }
    }
    bytesPassed += Int64(filled)
    return filled
  }

  private var isReadyForReading: Bool {
    FileDescriptor(rawValue: descriptor).waitUntilReady(for: .reading, while: shouldContinue)
  }

  /// Skips at most to the end of the file, so that the next read detects a truncation.
  private func skip(_ count: Int64) -> Int64 {
    let offset = Int64(lseek(descriptor, 0, SEEK_CUR))
    guard let size, offset >= 0 else { return 0 }
    let skipped = max(0, min(count, start + size - offset))
    guard lseek(descriptor, off_t(skipped), SEEK_CUR) >= 0 else { return 0 }
    bytesPassed += skipped
    return skipped
  }

  private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
    let target = origin == SEEK_SET ? offset.addingReportingOverflow(start).partialValue : offset
    let found = Int64(lseek(descriptor, off_t(target), origin))
    return found < start ? Int64(ARCHIVE_FATAL) : found - start
  }
}
