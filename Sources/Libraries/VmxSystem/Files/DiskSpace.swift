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
  let (bytes, overflow) = Int64(clamping: facts.f_bavail)
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
