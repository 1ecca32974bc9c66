import CArchive
import Glibc
import SystemPackage
import VmxSystem

/// The descriptor to which libarchive's callbacks write.
///
/// Headers and small files are buffered to save system calls. Large pieces are written from the
/// caller's memory, in one call with the buffered bytes. For a file, write-back starts every 8 MiB,
/// so that the final flush has little left to write.
final class ArchiveOutput {
  private static let bufferSize = 256 << 10
  private static let largePiece = 64 << 10
  private static let writeBackSize: Int64 = 8 << 20

  /// The error of the first write that failed.
  private(set) var errno: Errno?
  private let descriptor: Int32
  private let shouldContinue: (Int64) -> Bool
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bufferSize, alignment: 4096)
  private var used = 0
  /// The end of the written bytes, which is nil for a pipe, and the end of the bytes whose
  /// write-back has started.
  private var offset: Int64?
  private var writeBackOffset: Int64 = 0

  /// - Parameter shouldContinue: called while a pipe accepts no bytes. Once it returns false,
  ///   writing ends with `.interrupted`.
  init(_ descriptor: Int32, while shouldContinue: @escaping (Int64) -> Bool) {
    self.descriptor = descriptor
    self.shouldContinue = shouldContinue
    let start = Int64(lseek(descriptor, 0, SEEK_CUR))
    if start >= 0 { (offset, writeBackOffset) = (start, start) }
  }

  deinit { buffer.deallocate() }

  /// The write callback of libarchive; its context is the `ArchiveOutput`.
  static let write:
    @convention(c) (
      OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?, Int
    ) -> Int = { archive, context, bytes, count in
      guard let context else { return -1 }
      let output = Unmanaged<ArchiveOutput>.fromOpaque(context).takeUnretainedValue()
      if output.append(UnsafeRawBufferPointer(start: bytes, count: count)) { return count }
      vmx_archive_set_error(archive, output.errno?.rawValue ?? EIO)
      return -1
    }

  /// Writes the buffered bytes; returns false after an error.
  func flush() -> Bool { append(UnsafeRawBufferPointer(start: nil, count: 0), flushing: true) }

  private func append(_ piece: UnsafeRawBufferPointer, flushing: Bool = false) -> Bool {
    if errno != nil { return false }
    guard flushing || piece.count >= Self.largePiece || used + piece.count > buffer.count else {
      if !piece.isEmpty { buffer[used...].copyBytes(from: piece) }
      used += piece.count
      return true
    }
    let pieces = [
      iovec(iov_base: buffer.baseAddress, iov_len: used),
      iovec(iov_base: UnsafeMutableRawPointer(mutating: piece.baseAddress), iov_len: piece.count),
    ]
    used = 0
    return writeAll(pieces)
  }

  private func startWriteBack(behind count: Int64) {
    guard let end = offset.map({ $0 + count }) else { return }
    offset = end
    guard end - writeBackOffset >= Self.writeBackSize else { return }
    beginWriteBack(
      FileDescriptor(rawValue: descriptor), from: writeBackOffset, end - writeBackOffset)
    writeBackOffset = end
  }

  private var isReadyForWriting: Bool {
    FileDescriptor(rawValue: descriptor).waitUntilReady(for: .writing, while: shouldContinue)
  }

  private func writeAll(_ pieces: [iovec]) -> Bool {
    var pieces = pieces.filter { $0.iov_len > 0 }
    while !pieces.isEmpty {
      guard offset != nil || isReadyForWriting else {
        errno = .interrupted
        return false
      }
      var count = writev(descriptor, pieces, Int32(pieces.count))
      if count < 0 {
        if Errno.last == .interrupted { continue }
        errno = .last
        return false
      }
      startWriteBack(behind: Int64(count))
      while let first = pieces.first, count >= first.iov_len {
        count -= first.iov_len
        pieces.removeFirst()
      }
      if count > 0 {
        pieces[0].iov_base += count
        pieces[0].iov_len -= count
      }
    }
    return true
  }
}
