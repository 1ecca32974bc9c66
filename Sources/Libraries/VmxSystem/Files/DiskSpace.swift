import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// Returns the number of bytes that an unprivileged process can still write below a folder.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func freeSpace(at path: FilePath) throws(FileError) -> ByteCount {
  var facts = statvfs()
  _ = try FileCall.inspect.retrying(path) { path.withPlatformString { statvfs($0, &facts) } }
  return ByteCount(clamping: available(facts))
}

/// Returns the capacity in bytes of the file system that contains a folder.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func diskSize(at path: FilePath) throws(FileError) -> ByteCount {
  var facts = statvfs()
  _ = try FileCall.inspect.retrying(path) { path.withPlatformString { statvfs($0, &facts) } }
  let (bytes, overflow) = Int64(clamping: facts.f_blocks)
    .multipliedReportingOverflow(by: Int64(clamping: facts.f_frsize))
  return ByteCount(clamping: overflow ? .max : bytes)
}

/// Allocates disk space for a range of a file.
///
/// - Parameter keepSize: whether the file keeps its length, with the space allocated beyond its
///   end.
/// - Returns: whether the space was allocated; false if the file system does not support it.
/// - Throws: `FileError.failed(.allocate, …)`, code `disk-full` if there is not enough space.
package func preallocate(
  _ descriptor: FileDescriptor, of path: FilePath, from offset: Int64 = 0, _ length: ByteCount,
  keepSize: Bool
) throws(FileError) -> Bool {
  guard length.bytes > 0 else { return true }
  // If the request is too large, some file systems allocate all free space before they fail, and
  // keep it.
  if try mostAllocatable(descriptor, path) < length.bytes {
    throw .failed(.allocate, path, .noSpace)
  }
  while true {
    let error = Errno(
      rawValue: linux_allocate(descriptor.rawValue, keepSize ? 1 : 0, offset, length.bytes))
    switch error {
    case Errno(rawValue: 0): return true
    case .notSupported, .noFunction: return false
    case .interrupted: continue
    default: throw .failed(.allocate, path, error)
    }
  }
}

/// Returns the allocated bytes of the file plus the free space of the disk.
private func mostAllocatable(
  _ descriptor: FileDescriptor, _ path: FilePath
) throws(FileError) -> Int64 {
  var facts = stat()
  var disk = statvfs()
  guard fstat(descriptor.rawValue, &facts) == 0, fstatvfs(descriptor.rawValue, &disk) == 0 else {
    throw FileCall.inspect.lastError(path)
  }
  return available(disk) + Int64(facts.st_blocks) * 512
}

private func available(_ disk: statvfs) -> Int64 {
  let (bytes, overflow) = Int64(clamping: disk.f_bavail)
    .multipliedReportingOverflow(by: Int64(clamping: disk.f_frsize))
  // Half of the largest offset, so that adding to it never overflows.
  return overflow ? .max / 2 : min(bytes, .max / 2)
}
