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
