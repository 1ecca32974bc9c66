import Glibc

/// What the kernel says of a file, as far as it shows whether the file is still the same.
package struct FileFacts: Sendable, Equatable {
  /// The device that holds the file.
  package let device: UInt64
  /// The number of the file on its device.
  package let inode: UInt64
  /// Bytes in the file.
  package let size: Int64
  /// Nanoseconds since the epoch at which the bytes last changed.
  package let modified: Int64
  /// Whether it is a regular file.
  package let isRegular: Bool

  init(_ facts: Glibc.stat) {
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    isRegular = facts.st_mode & S_IFMT == S_IFREG
  }
}
