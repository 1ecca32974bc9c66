import CArchive
import Glibc
import SystemPackage
import VmxSystem

/// The descriptor that libarchive's callbacks write to.
///
/// Headers and small files are collected, so that they cost no system call each. Large pieces are
/// written from the caller's memory, together with what was collected.
final class ArchiveOutput {
  private static let bufferSize = 256 << 10
  private static let largePiece = 64 << 10

  /// The error of the first write that failed.
  private(set) var errno: Errno?
  private let descriptor: Int32
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: bufferSize, alignment: 4096)
  private var used = 0

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { buffer.deallocate() }

  /// The callback of libarchive; its context is the output.
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

  /// Writes what was collected; returns false after an error.
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

  private func writeAll(_ pieces: [iovec]) -> Bool {
    var pieces = pieces.filter { $0.iov_len > 0 }
    while !pieces.isEmpty {
      var count = writev(descriptor, pieces, Int32(pieces.count))
      if count < 0 {
        if Errno.last == .interrupted { continue }
        errno = .last
        return false
      }
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
