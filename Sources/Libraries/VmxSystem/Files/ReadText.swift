import Glibc
package import SystemPackage
package import VmxModel

/// Reads a whole regular file; a symbolic link is followed.
///
/// - Returns: the bytes; empty for the null device, and nil if the file does not exist.
/// - Throws: `FileError.inputNotRegular` for other kinds of files, `.inputTooLarge` beyond the
///   limit, and `.unreadable`.
package func readFile(_ path: FilePath, limit: ByteCount) throws(FileError) -> [UInt8]? {
  do throws(FileError) {
    let file = try OpenFile(path, .readOnly, followingLinks: true)
    let size = try file.facts().size
    guard size <= limit.bytes else { throw .inputTooLarge(path, limit: limit) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in try file.read(into: buffer, at: 0) }
    }
    return Array(bytes.prefix(try outcome.get()))
  } catch {
    switch error {
    case .failed(.open, _, .noSuchFileOrDirectory), .failed(.open, _, .notDirectory): return nil
    case .notRegular where isNullDevice(path): return []
    default: throw error.ofInput
    }
  }
}

/// Whether a path leads to `/dev/null`.
private func isNullDevice(_ path: FilePath) -> Bool {
  var found = stat()
  var null = stat()
  return path.withPlatformString { stat($0, &found) } == 0 && stat("/dev/null", &null) == 0
    && found.st_mode & S_IFMT == S_IFCHR && found.st_rdev == null.st_rdev
}

/// Reads a small file that the kernel generates, whose size is not known beforehand.
///
/// - Returns: at most 1 MiB of it as text; nil if it cannot be read.
func readText(_ path: FilePath) -> String? {
  do throws(FileError) {
    let file = try OpenFile(path, .readOnly)
    var bytes = [UInt8](repeating: 0, count: 4096)
    var count = 0
    while true {
      let room = bytes.count
      let outcome = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(FileError) in
          try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), at: Int64(count))
        }
      }
      count += try outcome.get()
      if count < room || count >= 1 << 20 { break }
      bytes.append(contentsOf: repeatElement(0, count: room))
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  } catch {
    return nil
  }
}
