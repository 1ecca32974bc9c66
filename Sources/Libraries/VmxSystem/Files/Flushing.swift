import CLinux
import Glibc
package import SystemPackage

// A flush that failed says that bytes are lost, and the kernel says so only once: whoever asks
// again is told that all is well. So nothing here tries twice, except where a signal came first.

/// Flushes the bytes of a file and as much of its facts as are needed to read them (fdatasync).
///
/// - Throws: `FileError.failed(.sync, …)`; the file must then count as not written.
package func dataSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  _ = try FileCall.sync.retrying(path) { fdatasync(descriptor.rawValue) }
}

/// Lets the kernel begin to bring a range of a file to the disk, so that a flush to come finds less
/// to do.
///
/// Advice: it promises nothing, waits for no disk beyond a full queue, and where it is not taken
/// the flush lasts longer. What goes wrong is told by the flush.
///
/// - Parameter length: bytes from the offset on; 0 stands for all up to the end.
package func beginWriteBack(
  _ descriptor: FileDescriptor, from offset: Int64 = 0, _ length: Int64 = 0
) {
  _ = linux_begin_write_back(descriptor.rawValue, offset, length)
}

/// Flushes all of a file (fsync).
///
/// - Throws: `FileError.failed(.sync, …)`; the file must then count as not written.
package func fullSync(_ descriptor: FileDescriptor, of path: FilePath) throws(FileError) {
  _ = try FileCall.sync.retrying(path) { fsync(descriptor.rawValue) }
}

/// Flushes the names in a folder, so that renames and removals in it survive a power cut.
///
/// File systems that know no flush of folders (some network ones) are taken to need none.
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
  /// The folder that holds it; `.` for a name alone.
  package var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }
}
