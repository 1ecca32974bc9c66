import CLinux
package import SystemPackage

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
  return FileSystemKind.isNetworkFuse(MountTable.kind(of: "\(major):\(minor)", in: mounts))
}

/// The magic numbers of file systems (linux/magic.h and the sources of the file systems).
enum FileSystemKind {
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
}

/// The kernel's table of mounts (proc_pid_mountinfo(5)).
enum MountTable {
  /// Returns the type of the file system mounted from a device `major:minor`, as `ext4` or
  /// `fuse.sshfs`.
  static func kind(of device: String, in mounts: String) -> String? {
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
