import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// Returns the number of bytes that an unprivileged process can still write below a folder. A file
/// system that does not know its size (some by FUSE, with 0 blocks) is never full.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func freeSpace(at path: FilePath) throws(FileError) -> ByteCount {
  ByteCount(clamping: available(try fileSystem(of: path)))
}

/// Returns the capacity in bytes of the file system that contains a folder.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func diskSize(at path: FilePath) throws(FileError) -> ByteCount {
  let facts = try fileSystem(of: path)
  return ByteCount(
    clamping: facts.isSizeKnown ? bytes(facts.f_blocks, facts) : statvfs.unknownSize)
}

private func fileSystem(of path: FilePath) throws(FileError) -> statvfs {
  var facts = statvfs()
  _ = try FileCall.inspect.retrying(path) { path.withPlatformString { statvfs($0, &facts) } }
  return facts
}

/// Allocates disk space for a range of a file.
///
/// - Parameter keepSize: whether the file keeps its length, with the space allocated beyond its
///   end.
/// - Returns: whether the space was allocated; false if the file system does not support it.
/// - Throws: `FileError.failed(.allocate, …)`, code `disk-full` if there is not enough space.
package func preallocate(
  _ descriptor: FileDescriptor, of path: FilePath, from offset: Int64 = 0, _ length: ByteCount,
  keepSize: Bool
) throws(FileError) -> Bool {
  guard length.bytes > 0 else { return true }
  // If the request is too large, some file systems allocate all free space before they fail, and
  // keep it.
  if try maxAllocatable(descriptor, path) < length.bytes {
    throw .failed(.allocate, path, .noSpace)
  }
  while true {
    let error = Errno(
      rawValue: linux_allocate(descriptor.rawValue, keepSize ? 1 : 0, offset, length.bytes))
    switch error {
    case Errno(rawValue: 0): return true
    case .notSupported, .noFunction: return false
    case .interrupted: continue
    default: throw .failed(.allocate, path, error)
    }
  }
}

/// Returns the allocated bytes of the file plus the free space of the disk.
private func maxAllocatable(
  _ descriptor: FileDescriptor, _ path: FilePath
) throws(FileError) -> Int64 {
  var facts = stat()
  var disk = statvfs()
  guard fstat(descriptor.rawValue, &facts) == 0, fstatvfs(descriptor.rawValue, &disk) == 0 else {
    throw FileCall.inspect.lastError(path)
  }
  return available(disk) + Int64(facts.st_blocks) * 512
}

/// Returns the free bytes, limited to half of the largest offset, so that adding to it never
/// overflows.
private func available(_ disk: statvfs) -> Int64 {
  disk.isSizeKnown ? min(bytes(disk.f_bavail, disk), .max / 2) : statvfs.unknownSize
}

extension statvfs {
  /// The size that stands for an unknown one: half of the largest offset.
  fileprivate static let unknownSize = Int64.max / 2
  /// Whether the file system knows its capacity.
  fileprivate var isSizeKnown: Bool { f_blocks > 0 }
}

private func bytes(_ blocks: fsblkcnt_t, _ disk: statvfs) -> Int64 {
  Int64(clamping: blocks).multipliedClamped(by: Int64(clamping: disk.f_frsize))
}

// Detects files that lie on another machine. There, locks and write order depend on the server's
// software, which vmx cannot check. So the store is refused unless a setting allows it.

/// Whether a folder lies on a network or cluster file system.
///
/// A FUSE file system counts as one unless it is known to be local.
///
/// - Throws: `FileError.failed(.open or .inspect, …)`.
package func isNetworkFileSystem(_ path: FilePath) throws(FileError) -> Bool {
  let folder = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
  return try isNetworkFileSystem(folder.descriptor, of: path)
}

/// Whether an open file lies on a network or cluster file system.
///
/// - Throws: `FileError.failed(.inspect, …)`.
package func isNetworkFileSystem(
  _ descriptor: FileDescriptor, of path: FilePath
) throws(FileError) -> Bool {
  var kind: UInt32 = 0
  let error = linux_filesystem_kind(descriptor.rawValue, &kind)
  if error != 0 { throw .failed(.inspect, path, Errno(rawValue: error)) }
  guard kind == FileSystemKind.fuse else { return FileSystemKind.network.contains(kind) }
  var major: UInt32 = 0
  var minor: UInt32 = 0
  guard linux_device(descriptor.rawValue, &major, &minor) == 0 else { return true }
  let mounts = readText("/proc/self/mountinfo") ?? ""
  return FileSystemKind.isNetworkFuse(FileSystemKind.name(of: "\(major):\(minor)", in: mounts))
}

/// Whether the file system of a folder keeps the owner and the permissions of each file. Others
/// invent them for all files at the mount, or translate them from another machine.
///
/// - Throws: `FileError.failed(.open or .inspect, …)`.
package func keepsOwners(_ path: FilePath) throws(FileError) -> Bool {
  let folder = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
  var kind: UInt32 = 0
  let error = linux_filesystem_kind(folder.descriptor.rawValue, &kind)
  if error != 0 { throw .failed(.inspect, path, Errno(rawValue: error)) }
  return kind != FileSystemKind.fuse && !FileSystemKind.network.contains(kind)
    && !FileSystemKind.ownerless.contains(kind)
}

/// Returns the largest file size on the file system of a folder, if it is of a type that many
/// memory sticks and cards have; nil without a known limit.
///
/// - Throws: `FileError.failed(.open or .inspect, …)`.
package func maxFileSize(below path: FilePath) throws(FileError) -> ByteCount? {
  let folder = try OpenFile(path, .readOnly, options: .directory, followingLinks: true)
  var kind: UInt32 = 0
  let error = linux_filesystem_kind(folder.descriptor.rawValue, &kind)
  if error != 0 { throw .failed(.inspect, path, Errno(rawValue: error)) }
  return kind == FileSystemKind.fat ? ByteCount(clamping: 0xffff_ffff) : nil
}

/// The magic numbers of file systems (linux/magic.h and the sources of the file systems).
enum FileSystemKind {
  /// FAT12 to FAT32, whose files have less than 4 GiB; exFAT has no such limit.
  static let fat: UInt32 = 0x4d44
  /// FAT, exFAT, the two drivers of NTFS, HFS, ISO 9660 and UDF.
  static let ownerless: Set<UInt32> = [
    fat, 0x2011_BAB0, 0x7366_746E, 0x5346_544E, 0x4244, 0x9660, 0x1501_3346,
  ]
  /// Any file system served by a user-space program.
  static let fuse: UInt32 = 0x6573_5546

  /// NFS, SMB (three numbers), Ceph, AFS (two), Coda, 9P, GFS2, OCFS2, Lustre, GPFS, BeeGFS,
  /// OrangeFS, and the shared folders of VirtualBox and VMware.
  static let network: Set<UInt32> = [
    0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x00C3_6400, 0x5346_414F, 0x6B41_4653, 0x7375_7245,
    0x0102_1997, 0x0116_1970, 0x7461_636F, 0x0BD0_0BD0, 0x4750_4653, 0x1983_0326, 0x2003_0528,
    0x786F_4256, 0xBACB_ACBC,
  ]

  private static let localFuse: Set<String> = [
    "fuseblk", "fuse.ntfs-3g", "fuse.exfat", "fuse.ext4", "fuse.bindfs", "fuse.encfs",
    "fuse.gocryptfs", "fuse.cryfs", "fuse.mergerfs", "fuse.unionfs", "fuse.fuse-overlayfs",
    "fuse.lxcfs", "fuse.portal",
  ]

  /// Whether a FUSE file system of this type must be assumed to be remote.
  static func isNetworkFuse(_ name: String?) -> Bool {
    name.map { !localFuse.contains($0) } ?? true
  }

  /// Returns the type of the file system mounted from a device `major:minor`, such as `ext4` or
  /// `fuse.sshfs`, according to the kernel's table of mounts (proc_pid_mountinfo(5)).
  static func name(of device: String, in mounts: String) -> String? {
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 2, words[2] == device, let dash = words.firstIndex(of: "-"),
        dash + 1 < words.count
      else { continue }
      return String(words[dash + 1])
    }
    return nil
  }
}
