import CLinux
import Glibc
package import SystemPackage

/// A file in memory alone: what a program is to read as its standard input, without anybody
/// having to write while it reads.
package struct MemoryFile: ~Copyable {
  /// Reads from the first byte on; closed when the value goes.
  package let descriptor: FileDescriptor

  /// A file with these bytes.
  ///
  /// - Throws: `FileError` where memory or descriptors are short.
  package init(_ name: String, holding bytes: [UInt8]) throws(FileError) {
    let path = FilePath("/memfd:\(name)")
    var opened: Int32 = -1
    let error = linux_memory_file(name, &opened)
    guard error == 0 else { throw .failed(.open, path, Errno(rawValue: error)) }
    let descriptor = FileDescriptor(rawValue: opened)
    do {
      // Written by position, so that whoever gets the descriptor reads from the beginning.
      _ = try FileCall.write.on(path) { try descriptor.writeAll(toAbsoluteOffset: 0, bytes) }
    } catch {
      _ = Glibc.close(opened)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { _ = Glibc.close(descriptor.rawValue) }
}
