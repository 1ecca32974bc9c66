import Glibc
package import SystemPackage

/// Makes a folder and those above it that are missing.
///
/// - Parameter permissions: of each folder that is made, less the umask.
/// - Returns: the folders that were made, outermost first; to make their names durable, flush the
///   folder that holds each of them.
/// - Throws: `FileError.failed(.makeFolder, …)`, with `.notDirectory` where a file is in the way;
///   the folders made before then stay.
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

/// Makes a folder in one that is there.
///
/// - Returns: false if it was there.
/// - Throws: `FileError.failed(.makeFolder, …)`, with `.noSuchFileOrDirectory` where the one above
///   it is missing.
package func makeFolder(
  _ path: FilePath, mode permissions: FilePermissions = .ownerReadWriteExecute
) throws(FileError) -> Bool {
  if path.withPlatformString({ mkdir($0, permissions.rawValue) }) == 0 { return true }
  if Errno.last == .fileExists, isFolder(path) { return false }
  throw FileCall.makeFolder.lastError(path)
}

/// Whether this process may change what is in a folder, links followed: no permission is lacking,
/// and the file system is not read-only.
package func isWritable(_ path: FilePath) -> Bool {
  path.withPlatformString { access($0, W_OK | X_OK) } == 0
}

/// Whether the path leads to a folder, links followed.
package func isFolder(_ path: FilePath) -> Bool {
  var facts = Glibc.stat()
  return path.withPlatformString { stat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
}

/// Where a path leads, links followed; nil where it leads nowhere.
package func realPath(of path: FilePath) -> FilePath? {
  guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return FilePath(platformString: real)
}
