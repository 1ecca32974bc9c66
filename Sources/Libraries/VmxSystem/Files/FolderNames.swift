import Glibc
package import SystemPackage

/// The names of what stands in a folder, in no particular order, without `.` and `..`.
///
/// Names are bytes: what is no UTF-8 is given as it is.
///
/// - Returns: none where there is no such folder.
/// - Throws: `FileError.failed(.list, …)`.
package func folderNames(_ path: FilePath) throws(FileError) -> [FilePath.Component] {
  guard let stream = path.withPlatformString({ opendir($0) }) else {
    let error = FileCall.list.lastError(path)
    if error.errno == .noSuchFileOrDirectory { return [] }
    throw error
  }
  defer { closedir(stream) }
  var names: [FilePath.Component] = []
  while true {
    // Only errno tells the end of a folder from a failure.
    errno = 0
    guard let entry = readdir(stream) else { break }
    let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath(platformString: $0) }
    }
    if let component = name.lastComponent, component.kind == .regular { names.append(component) }
  }
  if errno != 0 { throw FileCall.list.lastError(path) }
  return names
}

/// Removes a folder if nothing stands in it.
///
/// - Returns: whether it is gone; false where something stands in it.
/// - Throws: `FileError.failed(.remove, …)`.
@discardableResult
package func removeEmptyFolder(_ path: FilePath) throws(FileError) -> Bool {
  if path.withPlatformString({ rmdir($0) }) == 0 { return true }
  switch Errno.last {
  case .noSuchFileOrDirectory: return true
  case .directoryNotEmpty, .fileExists, .resourceBusy: return false
  case let error: throw .failed(.remove, path, error)
  }
}
