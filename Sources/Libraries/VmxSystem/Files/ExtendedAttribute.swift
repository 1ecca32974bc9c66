import CLinux
package import SystemPackage

/// Returns an extended attribute of a file (getxattr); a symbolic link is not followed.
///
/// - Returns: nil if the file does not have it, its value is too long, or the file system has none.
package func extendedAttribute(
  _ name: String, of path: FilePath, upTo limit: Int
) -> [UInt8]? {
  let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    count = path.withPlatformString {
      max(0, Int(linux_attribute($0, name, buffer.baseAddress, Int64(limit))))
    }
  }
  return bytes.isEmpty ? nil : bytes
}
