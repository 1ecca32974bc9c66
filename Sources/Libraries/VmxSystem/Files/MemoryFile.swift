import CLinux
import Glibc
package import SystemPackage

/// A file in memory (memfd), used as the standard input of a program without a thread that writes
/// while the program reads.
package struct MemoryFile: ~Copyable {
  /// The descriptor, positioned at the first byte; closed when the value is destroyed.
  package let descriptor: FileDescriptor

  /// Creates a file with these bytes.
  ///
  /// - Throws: `FileError` if memory or descriptors are exhausted.
  package init(_ name: String, holding bytes: [UInt8]) throws(FileError) {
    let path = FilePath("/memfd:\(name)")
    var opened: Int32 = -1
    let error = linux_memory_file(name, &opened)
    guard error == 0 else { throw .failed(.open, path, Errno(rawValue: error)) }
    let descriptor = FileDescriptor(rawValue: opened)
    do {
      // Writes at absolute offsets, so that the reader of the descriptor starts at the beginning.
      _ = try FileCall.write.on(path) { try descriptor.writeAll(toAbsoluteOffset: 0, bytes) }
    } catch {
      _ = Glibc.close(opened)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { _ = Glibc.close(descriptor.rawValue) }
}
