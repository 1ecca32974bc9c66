import CLinux
import Glibc
package import SystemPackage

/// Renames a file to a new name without ever replacing an existing file.
///
/// If the file system does not support this atomically, the new name is linked and the old one
/// removed. A crash between the two steps leaves both names.
///
/// - Throws: `FileError.failed(.rename, to, .fileExists)`, code `name-taken`, if the name exists;
///   `FileError.failed` of the call otherwise. Both names are then unchanged.
package func renameNoReplace(from old: FilePath, to new: FilePath) throws(FileError) {
  let error = old.withPlatformString { from in
    new.withPlatformString { to in linux_rename_exclusively(from, to) }
  }
  switch Errno(rawValue: error) {
  case Errno(rawValue: 0): return
  case .invalidArgument, .noFunction: try linkThenRemove(from: old, to: new)
  case let error: throw .failed(.rename, new, error)
  }
}

/// Renames by a link and a removal.
func linkThenRemove(from old: FilePath, to new: FilePath) throws(FileError) {
  let linked = old.withPlatformString { from in new.withPlatformString { to in link(from, to) } }
  if linked != 0 { throw FileCall.rename.lastError(new) }
  try removeFile(old)
}

/// Renames a file, replacing an existing file of the new name.
///
/// - Throws: `FileError.failed(.rename, …)`; both names are then unchanged.
package func renameReplacing(from old: FilePath, to new: FilePath) throws(FileError) {
  let renamed = old.withPlatformString { from in
    new.withPlatformString { to in rename(from, to) }
  }
  if renamed != 0 { throw FileCall.rename.lastError(new) }
}

/// Removes a name of a file.
///
/// - Throws: `FileError.failed(.remove, …)`, with `.noSuchFileOrDirectory` if it does not exist.
package func removeFile(_ path: FilePath) throws(FileError) {
  if path.withPlatformString({ unlink($0) }) != 0 { throw FileCall.remove.lastError(path) }
}
