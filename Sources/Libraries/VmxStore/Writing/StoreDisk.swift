import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The system calls by which the store changes its files, as a protocol so that tests can inject
/// failures.
package protocol StoreDisk: Sendable {
  /// Appends with one call and returns the number of bytes written, which may be too small.
  func append(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) -> Int
  /// Truncates a file.
  func truncate(_ file: FileDescriptor, to length: Int) throws(Errno)
  /// Creates a second hard link of a file.
  func link(_ file: FilePath, to link: FilePath) throws(Errno)
  /// Makes the bytes written to a file durable.
  func flush(_ file: FileDescriptor) throws(Errno)
  /// Allocates space from an offset without changing the file size; does nothing if the file system
  /// cannot.
  func reserve(_ file: FileDescriptor, from offset: Int, _ count: Int) throws(Errno)
}

/// The real disk, accessed by system calls.
package struct KernelDisk: StoreDisk {
  /// Creates the disk; it has no state.
  package init() {}

  package func append(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) -> Int {
    try call { write(file.rawValue, bytes, bytes.count) }
  }

  package func truncate(_ file: FileDescriptor, to length: Int) throws(Errno) {
    _ = try call { ftruncate(file.rawValue, length) }
  }

  package func link(_ file: FilePath, to link: FilePath) throws(Errno) {
    _ = try call {
      file.withPlatformString { file in
        link.withPlatformString { Int(Glibc.link(file, $0)) }
      }
    }
  }

  package func flush(_ file: FileDescriptor) throws(Errno) {
    _ = try call { Int(fdatasync(file.rawValue)) }
  }

  package func reserve(
    _ file: FileDescriptor, from offset: Int, _ count: Int
  ) throws(Errno) {
    do throws(FileError) {
      _ = try preallocate(
        file, of: "", from: Int64(offset), ByteCount(clamping: Int64(count)), keepSize: true)
    } catch {
      throw error.errno ?? .ioError
    }
  }

  private func call<N: FixedWidthInteger & SignedInteger>(_ body: () -> N) throws(Errno) -> N {
    while true {
      let result = body()
      if result >= 0 { return result }
      if Errno.last != .interrupted { throw .last }
    }
  }
}
