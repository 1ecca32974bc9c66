import Glibc
package import SystemPackage

/// Creates a folder and its missing parent folders.
///
/// - Parameter permissions: permissions of each created folder, less the umask.
/// - Returns: the created folders, outermost first; to make their names durable, flush the parent
///   folder of each.
/// - Throws: `FileError.failed(.makeFolder, …)`, with `.notDirectory` if a file is in the way;
///   folders created before the failure remain.
@discardableResult
package func makeFolders(
  _ path: FilePath, mode permissions: FilePermissions = .ownerReadWriteExecute
) throws(FileError) -> [FilePath] {
  let status = path.withPlatformString { mkdir($0, permissions.rawValue) }
  if status == 0 { return [path] }
  switch Errno.last {
  case .fileExists:
    guard isFolder(path) else { throw .failed(.makeFolder, path, .notDirectory) }
    return []
  case .noSuchFileOrDirectory where path.folder != path && path.folder != ".":
    var made = try makeFolders(path.folder, mode: permissions)
    if path.withPlatformString({ mkdir($0, permissions.rawValue) }) == 0 {
      made.append(path)
    } else if Errno.last != .fileExists || !isFolder(path) {
      throw FileCall.makeFolder.lastError(path)
    }
    return made
  case let error: throw .failed(.makeFolder, path, error)
  }
}

/// Creates a folder in an existing folder.
///
/// - Returns: false if it already exists.
/// - Throws: `FileError.failed(.makeFolder, …)`, with `.noSuchFileOrDirectory` if the parent folder
///   is missing.
package func makeFolder(
  _ path: FilePath, mode permissions: FilePermissions = .ownerReadWriteExecute
) throws(FileError) -> Bool {
  if path.withPlatformString({ mkdir($0, permissions.rawValue) }) == 0 { return true }
  if Errno.last == .fileExists, isFolder(path) { return false }
  throw FileCall.makeFolder.lastError(path)
}

/// Whether this process may change the entries of a folder, following links: the permissions
/// suffice, and the file system is not read-only.
package func isWritable(_ path: FilePath) -> Bool {
  path.withPlatformString { access($0, W_OK | X_OK) } == 0
}

/// Whether the path leads to a folder, following links.
package func isFolder(_ path: FilePath) -> Bool {
  var facts = Glibc.stat()
  return path.withPlatformString { stat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
}

/// Returns the path with all links resolved; nil if it does not exist.
package func realPath(of path: FilePath) -> FilePath? {
  guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return FilePath(platformString: real)
}
