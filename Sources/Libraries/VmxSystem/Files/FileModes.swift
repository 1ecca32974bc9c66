import Glibc
package import SystemPackage

extension FilePermissions {
  /// The mode of a file that other users may read as far as the umask of this process lets them.
  package static let published = FilePermissions(rawValue: 0o666).subtracting(umask)

  /// The mode of a folder that other users may enter, before the umask.
  package static let publishedFolder = FilePermissions(rawValue: 0o777)

  /// The umask of this process. Only setting it tells it: another thread that creates a file in
  /// that moment creates one for its owner alone.
  private static let umask: FilePermissions = {
    let mask = Glibc.umask(0o077)
    _ = Glibc.umask(mask)
    return FilePermissions(rawValue: mask)
  }()
}

/// Sets the mode of an open file, where its file system has modes.
///
/// - Throws: `FileError`, but nothing where the file system or the owner of the file refuses.
package func setMode(
  _ permissions: FilePermissions, of descriptor: FileDescriptor, at path: FilePath
) throws(FileError) {
  guard fchmod(descriptor.rawValue, permissions.rawValue) != 0 else { return }
  let error = FileCall.write.lastError(path)
  guard [.notPermitted, .notSupported, .readOnlyFileSystem].contains(error.errno) else {
    throw error
  }
}
