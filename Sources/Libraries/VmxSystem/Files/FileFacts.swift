import Glibc
package import SystemPackage

/// The metadata of a file, as the kernel reports it (stat).
package struct FileFacts: Sendable, Equatable {
  /// The device number.
  package let device: UInt64
  /// The inode number on the device.
  package let inode: UInt64
  /// The size in bytes.
  package let size: Int64
  /// The number of allocated bytes on the disk, including those beyond the end of the file.
  package let allocated: Int64
  /// The modification time in nanoseconds since the epoch.
  package let modified: Int64
  /// The access permissions.
  package let permissions: FilePermissions
  /// Whether it is a regular file.
  package let isRegular: Bool
  /// Whether it is a folder.
  package let isFolder: Bool
  /// Whether it is a symbolic link.
  package let isLink: Bool

  /// Returns the metadata of the file at a path without following a symbolic link; nil if there is
  /// none.
  ///
  /// Costs one system call; another process may replace the file at any time afterwards.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package static func of(_ path: FilePath) throws(FileError) -> FileFacts? {
    var facts = Glibc.stat()
    if path.withPlatformString({ lstat($0, &facts) }) == 0 { return FileFacts(facts) }
    let error = FileCall.inspect.lastError(path)
    guard error.errno == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// Returns the metadata of the file at a path relative to an open folder, without following a
  /// symbolic link; nil if there is none.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package static func of(
    _ path: String, below folder: FileDescriptor
  ) throws(FileError) -> FileFacts? {
    var facts = Glibc.stat()
    if fstatat(folder.rawValue, path, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return FileFacts(facts) }
    let error = FileCall.inspect.lastError(FilePath(path))
    guard error.errno == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// Returns the metadata of the file at a path relative to an open folder, without following a
  /// symbolic link. Nil if there is none, if the path contains a NUL, or on an error.
  ///
  /// Uses the bytes of the path without copying them: for inspecting many files.
  package static func ofSomething(
    at path: UnsafeBufferPointer<UInt8>, below folder: FileDescriptor
  ) -> FileFacts? {
    guard !path.contains(0) else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { name in
      UnsafeMutableRawBufferPointer(name).copyMemory(from: UnsafeRawBufferPointer(path))
      name[path.count] = 0
      var facts = Glibc.stat()
      guard let start = name.baseAddress,
        fstatat(folder.rawValue, start, &facts, AT_SYMLINK_NOFOLLOW) == 0
      else { return nil }
      return FileFacts(facts)
    }
  }

  /// Whether both describe one file with the same bytes; their allocation on the disk may differ.
  package func isSameContent(as other: FileFacts) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }

  init(_ facts: Glibc.stat) {
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    allocated = Int64(facts.st_blocks) * 512
    modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
    permissions = FilePermissions(rawValue: facts.st_mode & 0o7777)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
    isLink = facts.st_mode & S_IFMT == S_IFLNK
    isRegular = facts.st_mode & S_IFMT == S_IFREG
  }
}
