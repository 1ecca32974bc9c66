import CLinux
import Glibc
package import SystemPackage

// A failed flush means that bytes are lost, and the kernel reports it only once: the next fsync
// succeeds. So no function here retries a flush, except after EINTR.

/// Flushes the bytes of a file and the metadata needed to read them (fdatasync).
///
/// - Throws: `FileError.failed(.sync, …)`; the caller must then treat the file as not written.
package func dataSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  _ = try FileCall.sync.retrying(path) { fdatasync(descriptor.rawValue) }
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

/// Flushes all data and metadata of a file (fsync).
///
/// - Throws: `FileError.failed(.sync, …)`; the caller must then treat the file as not written.
package func fullSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  _ = try FileCall.sync.retrying(path) { fsync(descriptor.rawValue) }
}

/// Flushes a folder, so that renames and removals in it survive a power cut.
///
/// File systems that do not support flushing folders (some network ones) are assumed not to need
/// it.
///
/// - Throws: `FileError.failed(.open or .sync, …)`.
package func syncFolder(_ path: FilePath) throws(FileError) {
  let folder = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
  do {
    try fullSync(folder.descriptor, of: path)
  } catch  where error.errno == .invalidArgument || error.errno == .notSupported {
    return
  }
}

extension FilePath {
  /// The parent folder; `.` for a single component.
  package var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }
}
