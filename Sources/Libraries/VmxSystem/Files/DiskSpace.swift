import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// How many bytes may still be written below a folder by somebody without privileges.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func freeSpace(at path: FilePath) throws(FileError) -> ByteCount {
  var facts = statvfs()
  _ = try FileCall.inspect.retrying(path) { path.withPlatformString { statvfs($0, &facts) } }
  return ByteCount(clamping: available(facts))
}

/// How many bytes the file system of a folder can hold in all.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func diskSize(at path: FilePath) throws(FileError) -> ByteCount {
  var facts = statvfs()
  _ = try FileCall.inspect.retrying(path) { path.withPlatformString { statvfs($0, &facts) } }
  let (bytes, overflow) = Int64(clamping: facts.f_blocks)
    .multipliedReportingOverflow(by: Int64(clamping: facts.f_frsize))
  return ByteCount(clamping: overflow ? .max : bytes)
}

/// Reserves room for bytes of a file from an offset on.
///
/// - Parameter keepSize: whether the file keeps its length, the room lying beyond its end.
/// - Returns: whether there is a reservation; false where the file system knows none.
/// - Throws: `FileError.failed(.allocate, …)`, code `disk-full` if there is no room.
package func preallocate(
  _ descriptor: FileDescriptor, of path: FilePath, from offset: Int64 = 0, _ length: ByteCount,
  keepSize: Bool
) throws(FileError) -> Bool {
  guard length.bytes > 0 else { return true }
  // Asked for too much, some file systems take all there is before they refuse, and keep it.
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

/// How many bytes the file has of the disk and could still have.
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
  // Half of what an offset can be, so that adding to it never overflows.
  return overflow ? .max / 2 : min(bytes, .max / 2)
}
