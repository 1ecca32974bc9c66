import CLinux
import Glibc
package import SystemPackage

// A failed flush means that bytes are lost, and the kernel reports it only once: the next fsync
// succeeds. So no function here retries a flush, except after EINTR.

/// Flushes the bytes of a file and the metadata needed to read them (fdatasync).
///
/// - Throws: `FileError.failed(.sync, …)`; the caller must then treat the file as not written.
package func dataSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  try flushing(path) { fdatasync(descriptor.rawValue) }
}

/// Starts write-back of a range of a file, so that a later flush has less to do.
///
/// Only advice: it gives no guarantee and blocks only on a full device queue. Without it the flush
/// takes longer. Errors are reported by the flush.
///
/// - Parameter length: bytes from the offset on; 0 means up to the end.
package func beginWriteBack(
  _ descriptor: FileDescriptor, from offset: Int64 = 0, _ length: Int64 = 0
) {
  _ = linux_begin_write_back(descriptor.rawValue, offset, length)
}

extension OpenFile {
  /// The minimum size in bytes of a piece whose write-back starts at once. Smaller requests would
  /// cost more calls than they save.
  private static let largePiece = 1 << 20

  /// Writes all of the bytes, and starts the write-back of at least 1 MiB, so that a later flush
  /// has less to write.
  ///
  /// - Throws: `FileError.failed(.write, …)`; some of the bytes may then have been written.
  package func writeBeforeFlush(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(FileError) {
    try write(bytes, at: offset)
    if bytes.count >= Self.largePiece {
      beginWriteBack(descriptor, from: offset, Int64(bytes.count))
    }
  }
}

/// Flushes all data and metadata of a file (fsync).
///
/// - Throws: `FileError.failed(.sync, …)`; the caller must then treat the file as not written.
package func fullSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  try flushing(path) { fsync(descriptor.rawValue) }
}

/// Calls a flush. A file system that has none (EINVAL or ENOSYS, some by FUSE) writes at once or
/// when it wants; refusing it would only refuse its use.
private func flushing(_ path: FilePath, _ call: () -> Int32) throws(FileError) {
  do throws(FileError) {
    _ = try FileCall.sync.retrying(path) { call() }
  } catch {
    guard [.invalidArgument, .noFunction, .notSupported].contains(error.errno) else { throw error }
  }
}

/// Flushes a folder, so that renames and removals in it survive a power cut.
///
/// File systems that do not support flushing folders (some network ones) are assumed not to need
/// it.
///
/// - Throws: `FileError.failed(.open or .sync, …)`.
package func syncFolder(_ path: FilePath) throws(FileError) {
  let folder = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
  try fullSync(folder.descriptor, of: path)
}

// Verifying a whole library would evict all other data from the page cache. So the reader drops
// pages that were not cached before it; pages cached by other processes stay.

/// The pieces of an open file that were in the page cache before this process read it.
package struct ResidentPieces: Sendable {
  private let pieceSize: Int64
  private let resident: [Bool]

  /// Records which pieces of an open file are in the page cache (mincore).
  ///
  /// If the kernel provides no information, every piece counts as cached.
  ///
  /// - Parameters:
  ///   - size: the size of the file in bytes.
  ///   - pieceSize: bytes in every piece but the last; a multiple of the page size.
  package init(of file: borrowing OpenFile, size: Int64, pieceSize: Int64) {
    self.pieceSize = pieceSize
    let count = Int((size + pieceSize - 1) / pieceSize)
    var resident = [Bool](repeating: true, count: count)
    let map = size == 0 ? MAP_FAILED : Self.map(file.descriptor, Int(size))
    if map != MAP_FAILED, let map {
      let page = Int(sysconf(Int32(_SC_PAGESIZE)))
      var pages = [UInt8](repeating: 0, count: (Int(pieceSize) + page - 1) / page)
      for piece in 0..<count {
        let start = Int64(piece) * pieceSize
        let length = Int(min(pieceSize, size - start))
        guard mincore(map + Int(start), length, &pages) == 0 else { break }
        let total = (length + page - 1) / page
        let here = pages.prefix(total).reduce(0) { $0 + Int($1 & 1) }
        resident[piece] = here * 2 > total
      }
      munmap(map, Int(size))
    }
    self.resident = resident
  }

  /// Drops the pieces of a range that were not cached before this process read them.
  ///
  /// Only advice: pages that were modified and not yet written back stay.
  package func release(_ range: Range<Int>, of descriptor: FileDescriptor) {
    for piece in range where piece < resident.count && !resident[piece] {
      _ = posix_fadvise(
        descriptor.rawValue, off_t(Int64(piece) * pieceSize), off_t(pieceSize),
        POSIX_FADV_DONTNEED)
    }
  }

  private static func map(_ descriptor: FileDescriptor, _ size: Int) -> UnsafeMutableRawPointer? {
    mmap(nil, size, PROT_READ, MAP_SHARED, descriptor.rawValue, 0)
  }
}

/// Starts read-ahead of a range of a file; only advice.
package func beginReading(_ descriptor: FileDescriptor, from offset: Int64, _ length: Int64) {
  _ = posix_fadvise(descriptor.rawValue, off_t(offset), off_t(length), POSIX_FADV_WILLNEED)
}
