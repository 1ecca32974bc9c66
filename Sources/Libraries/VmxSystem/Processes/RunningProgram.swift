import Glibc
package import SystemPackage

/// Returns the executable of this process with links resolved; nil if the system does not provide
/// it.
package func runningProgram() -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &buffer, buffer.count)
  guard length > 0 else { return nil }
  return FilePath(
    String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
