import SystemPackage

/// The whole of a small file of the kernel's, whose size is not known beforehand.
///
/// - Returns: at most 1 MiB of it as text; nil where it cannot be read.
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
