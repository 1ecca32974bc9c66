import Glibc
package import SystemPackage

/// The executable of this process, links followed; nil where the system does not tell.
package func runningProgram() -> FilePath? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  let length = readlink("/proc/self/exe", &buffer, buffer.count)
  guard length > 0 else { return nil }
  return FilePath(
    String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self))
}
