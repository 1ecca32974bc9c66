import CLinux
import Glibc
package import SystemPackage
package import VmxModel

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
  /// The user id of its owner.
  package let owner: UInt32
  /// The group id.
  package let group: UInt32
  /// The number of hard links to it.
  package let links: Int
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
    try path.withPlatformString { at($0, in: AT_FDCWD, path: path) }.get()
  }

  /// Returns the metadata of the file at a path relative to an open folder, without following a
  /// symbolic link; nil if there is none.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package static func of(
    _ path: String, below folder: FileDescriptor
  ) throws(FileError) -> FileFacts? {
    try at(path, in: folder.rawValue, path: FilePath(path)).get()
  }

  /// Inspects a file; nil also if one of the folders of its path is a file (`ENOTDIR`).
  ///
  /// - Parameter inspect: a call of `of`.
  /// - Throws: the other errors of the call.
  package static func ifPresent(
    _ inspect: () throws(FileError) -> FileFacts?
  ) throws(FileError) -> FileFacts? {
    do throws(FileError) {
      return try inspect()
    } catch  where error.errno == .notDirectory {
      return nil
    }
  }

  /// Returns the metadata of the file at a path, as `of` does; nil also if one of the folders of
  /// the path is a file.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package static func ifPresent(at path: FilePath) throws(FileError) -> FileFacts? {
    try ifPresent { () throws(FileError) in try of(path) }
  }

  /// Returns the metadata of the file at a path relative to an open folder; nil if there is none.
  static func at(
    _ name: UnsafePointer<CChar>, in folder: CInt, path: @autoclosure () -> FilePath
  ) -> Result<FileFacts?, FileError> {
    var facts = Glibc.stat()
    if fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return .success(FileFacts(facts)) }
    if Errno.last == .noSuchFileOrDirectory { return .success(nil) }
    return .failure(FileCall.inspect.lastError(path()))
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
      guard let start = name.baseAddress,
        case .success(let facts) = at(start, in: folder.rawValue, path: FilePath())
      else { return nil }
      return facts
    }
  }

  /// The file itself, whatever its path and its bytes.
  package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

  /// Whether only root or this user can have created it, or replaced it in a sticky folder.
  package var isOfUser: Bool { owner == 0 || owner == currentUser() }

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
    owner = facts.st_uid
    group = facts.st_gid
    links = Int(facts.st_nlink)
    isFolder = facts.st_mode & S_IFMT == S_IFDIR
    isLink = facts.st_mode & S_IFMT == S_IFLNK
    isRegular = facts.st_mode & S_IFMT == S_IFREG
  }
}

extension FilePermissions {
  /// Makes new files and folders of this process and its children accessible only to their owner,
  /// whatever the user's umask. Called before the first file is created.
  package static func makeNewFilesPrivate() { _ = Glibc.umask(0o077) }

  /// The mode of a file that other users may read, as far as the umask of this process allows.
  package static let published = FilePermissions(rawValue: 0o666).subtracting(umask)

  /// The mode of a folder that other users may enter, before the umask.
  package static let publishedFolder = FilePermissions(rawValue: 0o777)

  /// The umask of this process. The system reports it only when it is set: a file that another
  /// thread creates at that moment is accessible only to its owner.
  private static let umask: FilePermissions = {
    let mask = Glibc.umask(0o077)
    _ = Glibc.umask(mask)
    return FilePermissions(rawValue: mask)
  }()
}

extension FilePermissions {
  /// Returns the mode of a new file that others may read: in a folder with a default ACL that of
  /// the ACL, as the kernel would make it, else `published`.
  ///
  /// A mode by the umask would withdraw the rights of the users that the ACL names, and give others
  /// rights that it denies (acl(5), "Object creation and default ACLs").
  package static func published(in folder: FilePath) -> FilePermissions {
    guard let list = extendedAttribute("system.posix_acl_default", of: folder, upTo: 4096),
      let mode = mode(ofDefaultACL: list)
    else { return published }
    return mode
  }

  /// Returns the mode of a file that is created with the mode 0666 below a default ACL, in the form
  /// of the kernel (linux/posix_acl_xattr.h): the version 2, then tag, rights and id of each entry.
  static func mode(ofDefaultACL list: [UInt8]) -> FilePermissions? {
    guard list.count >= 4, list[0] == 2, (list.count - 4) % 8 == 0 else { return nil }
    var rights: [UInt8: UInt8] = [:]
    for start in stride(from: 4, to: list.count, by: 8) {
      rights[list[start]] = list[start + 2] & 6
    }
    let (owner, group, mask, other): (UInt8, UInt8, UInt8, UInt8) = (0x01, 0x04, 0x10, 0x20)
    guard let own = rights[owner], let all = rights[other],
      let groups = rights[mask] ?? rights[group]
    else { return nil }
    return FilePermissions(
      rawValue: CInterop.Mode(own) << 6 | CInterop.Mode(groups) << 3 | CInterop.Mode(all))
  }
}

/// Sets the mode of an open file if its file system supports modes. Below a default ACL, the mode
/// `published` is that of the ACL.
///
/// - Throws: `FileError`, except if the file system or the ownership of the file does not permit
///   the change.
package func setMode(
  _ permissions: FilePermissions, of descriptor: FileDescriptor, at path: FilePath
) throws(FileError) {
  let mode = permissions == .published ? FilePermissions.published(in: path.folder) : permissions
  guard fchmod(descriptor.rawValue, mode.rawValue) != 0 else { return }
  let error = FileCall.write.lastError(path)
  guard [.notPermitted, .notSupported, .noFunction, .readOnlyFileSystem].contains(error.errno)
  else {
    throw error
  }
}

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
