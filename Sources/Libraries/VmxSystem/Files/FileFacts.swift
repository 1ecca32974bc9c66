import Glibc
package import SystemPackage

/// What the kernel says of a file.
package struct FileFacts: Sendable, Equatable {
  /// The device that holds the file.
  package let device: UInt64
  /// The number of the file on its device.
  package let inode: UInt64
  /// Bytes in the file.
  package let size: Int64
  /// Bytes of the disk that belong to the file, whether or not they lie before its end.
  package let allocated: Int64
  /// Nanoseconds since the epoch at which the bytes last changed.
  package let modified: Int64
  /// Who may do what with it.
  package let permissions: FilePermissions
  /// Whether it is a regular file.
  package let isRegular: Bool
  /// Whether it is a folder.
  package let isFolder: Bool
  /// Whether it is a symbolic link.
  package let isLink: Bool

  /// What the kernel says of what stands at a path, a symbolic link not followed; nil where
  /// nothing does.
  ///
  /// Costs one call; what stands there may be another file a moment later.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package static func of(_ path: FilePath) throws(FileError) -> FileFacts? {
    var facts = Glibc.stat()
    if path.withPlatformString({ lstat($0, &facts) }) == 0 { return FileFacts(facts) }
    let error = FileCall.inspect.lastError(path)
    guard error.errno == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// What the kernel says of what stands at a path below a folder that is held open, a symbolic
  /// link not followed; nil where nothing does.
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

  /// What the kernel says of what stands at a path below a folder that is held open, a symbolic
  /// link not followed; nil where nothing does, where the path has a NUL, and where it cannot be
  /// told.
  ///
  /// Takes the bytes of a path where they stand: for looking at many files.
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

  /// Whether both are of one file with the same bytes; how they lie on the disk may differ.
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
