import Glibc
package import SystemPackage
import VmxModel

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

/// Creates the missing folders of a path below a folder that is held open, relative to its
/// descriptor. So nothing is created in a folder that has meanwhile taken its place, such as the
/// mount point of a disk that was unplugged, nor above it.
///
/// - Parameters:
///   - path: the path below the open folder; without components nothing is created.
///   - base: the descriptor of the open folder.
///   - openFolder: the path of the open folder, for the result and for messages.
/// - Returns: the created folders, outermost first, as `makeFolders(_:mode:)`.
/// - Throws: `FileError.failed(.makeFolder, …)`; folders created before the failure remain.
package func makeFolders(
  _ path: FilePath, below base: FileDescriptor, at openFolder: FilePath,
  mode permissions: FilePermissions = .ownerReadWriteExecute
) throws(FileError) -> [FilePath] {
  var below = FilePath()
  var made: [FilePath] = []
  for component in path.components {
    below.append(component)
    let status = below.withPlatformString { mkdirat(base.rawValue, $0, permissions.rawValue) }
    let whole = openFolder.appending(below.components)
    if status == 0 {
      made.append(whole)
      continue
    }
    guard Errno.last == .fileExists else { throw FileCall.makeFolder.lastError(whole) }
    var facts = Glibc.stat()
    guard below.withPlatformString({ fstatat(base.rawValue, $0, &facts, 0) }) == 0,
      facts.st_mode & S_IFMT == S_IFDIR
    else { throw .failed(.makeFolder, whole, .notDirectory) }
  }
  return made
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

/// Removes a folder if it is empty.
///
/// - Returns: false if the folder is not empty.
/// - Throws: `FileError.failed(.remove, …)`, also if it does not exist or is not a folder.
package func removeFolderIfEmpty(_ path: FilePath) throws(FileError) -> Bool {
  if path.withPlatformString({ rmdir($0) }) == 0 { return true }
  let error = FileCall.remove.lastError(path)
  guard error.errno == .directoryNotEmpty || error.errno == .fileExists else { throw error }
  return false
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

/// Returns the path if it leads to a folder, else the nearest ancestor that does. For a relative
/// path this is at last the working directory.
package func nearestFolder(_ path: FilePath) -> FilePath {
  var path = path
  while !isFolder(path), path.folder != path { path = path.folder }
  return path
}

/// Returns the path with all links resolved; nil if it does not exist.
package func realPath(of path: FilePath) -> FilePath? {
  guard let real = path.withPlatformString({ realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return FilePath(platformString: real)
}

/// Returns the path that a symbolic link contains; nil for anything but a link.
package func linkTarget(of path: FilePath) -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
  return count > 0 ? FilePath(platformString: buffer) : nil
}

extension FilePath {
  /// The parent folder; `.` for a single component.
  package var folder: FilePath {
    let folder = removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// Returns the path with another component of arbitrary bytes.
  package func appending(entry name: [UInt8]) -> FilePath {
    let separated = self.isEmpty ? [] : Array(bytes) + [UInt8(ascii: "/")]
    return FilePath(bytes: separated + name)
  }

  /// The bytes of the path.
  package var bytes: [UInt8] {
    withPlatformString { text in
      UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
  }

  /// Creates a path from bytes, up to the first NUL.
  package init(bytes: [UInt8]) {
    self = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { text in
      text.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }

  /// Creates the path that a command-line argument names, with arbitrary bytes.
  ///
  /// - Parameter text: an argument or a part of it, as `ArgumentText`.
  package init(argument text: String) {
    self.init(bytes: ArgumentText.bytes(of: text))
  }
}
