import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The calls by which the store changes its files, so that tests can let them fail.
package protocol StoreDisk: Sendable {
  /// Appends with one call; gives how many bytes were written, which may be too few.
  func append(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) -> Int
  /// Cuts a file.
  func truncate(_ file: FileDescriptor, to length: Int) throws(Errno)
  /// Makes what was written to a file durable.
  func flush(_ file: FileDescriptor) throws(Errno)
  /// Allocates room from an offset on, without making the file longer; nothing happens where the
  /// file system cannot.
  func reserve(_ file: FileDescriptor, from offset: Int, _ count: Int) throws(Errno)
}

/// The disk itself.
package struct KernelDisk: StoreDisk {
  /// There is only one.
  package init() {}

  package func append(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) -> Int {
    try call { write(file.rawValue, bytes, bytes.count) }
  }

  package func truncate(_ file: FileDescriptor, to length: Int) throws(Errno) {
    _ = try call { ftruncate(file.rawValue, length) }
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
