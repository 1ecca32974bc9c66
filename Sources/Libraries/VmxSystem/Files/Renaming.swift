import CLinux
import Glibc
package import SystemPackage

/// Gives a file a name that nothing has yet; what has the name is never replaced.
///
/// Where the file system cannot promise that, the new name is linked and the old one removed, so
/// that after a crash between the two the file has both.
///
/// - Throws: `FileError.failed(.rename, to, .fileExists)`, code `name-taken`, if the name is taken;
///   `FileError.failed` of the call otherwise. Both names are then as they were.
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

/// The same with a link and a removal.
func linkThenRemove(from old: FilePath, to new: FilePath) throws(FileError) {
  let linked = old.withPlatformString { from in new.withPlatformString { to in link(from, to) } }
  if linked != 0 { throw FileCall.rename.lastError(new) }
  try removeFile(old)
}

/// Gives a file a name, replacing what had it.
///
/// - Throws: `FileError.failed(.rename, …)`; both names are then as they were.
package func renameReplacing(from old: FilePath, to new: FilePath) throws(FileError) {
  let renamed = old.withPlatformString { from in
    new.withPlatformString { to in rename(from, to) }
  }
  if renamed != 0 { throw FileCall.rename.lastError(new) }
}

/// Removes the name of a file.
///
/// - Throws: `FileError.failed(.remove, …)`, with `.noSuchFileOrDirectory` where it is not there.
package func removeFile(_ path: FilePath) throws(FileError) {
  if path.withPlatformString({ unlink($0) }) != 0 { throw FileCall.remove.lastError(path) }
}
