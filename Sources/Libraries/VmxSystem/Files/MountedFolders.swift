package import SystemPackage

// A disk that is plugged in again may have another mount point. The kernel's table of mounts lists
// the mount points without a call to any of these file systems. File systems of the kernel itself
// hold no files of users. A network file system or an automounter may block a call for minutes.

/// Returns the mount points of all file systems on disks, without duplicates.
package func mountedFolders() -> [FilePath] {
  FileSystemKind.mountPoints(in: readText("/proc/self/mountinfo") ?? "")
}

/// Returns the mount point of the file system of a folder; nil if it does not exist.
package func mountPoint(of folder: FilePath) -> FilePath? {
  guard let real = realPath(of: folder) else { return nil }
  return FileSystemKind.mountPoint(of: real, in: readText("/proc/self/mountinfo") ?? "")
}

/// Returns the paths of the folders in a folder, without following symbolic links; none if it
/// cannot be read.
package func subfolders(of folder: FilePath) -> [FilePath] {
  var found: [FilePath] = []
  do throws(FileError) {
    let open = try OpenFolder(folder, followingLinks: true)
    while let entry = try open.next() {
      // Some file systems do not tell the kind.
      if entry.kind == .folder || entry.kind == .other {
        found.append(folder.appending(entry: entry.name))
      }
    }
  } catch {
    // A folder that cannot be listed is searched only by known names.
  }
  return found
}

extension FileSystemKind {
  private static let withoutUserFiles: Set<String> = [
    "proc", "sysfs", "cgroup", "cgroup2", "devpts", "devtmpfs", "mqueue", "debugfs", "tracefs",
    "securityfs", "pstore", "bpf", "configfs", "hugetlbfs", "fusectl", "binfmt_misc", "efivarfs",
    "rpc_pipefs", "nsfs", "autofs", "squashfs", "fuse.portal", "fuse.lxcfs",
  ]
  private static let remote: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "afs", "9p", "coda", "glusterfs", "lustre",
    "gfs2", "ocfs2", "beegfs", "virtiofs", "vboxsf",
  ]

  /// Returns the mount points of file systems on disks in the kernel's table of mounts
  /// (proc_pid_mountinfo(5)).
  static func mountPoints(in mounts: String) -> [FilePath] {
    var points: [FilePath] = []
    for line in mounts.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 4, let dash = words.firstIndex(of: "-"), dash + 1 < words.count
      else { continue }
      let kind = String(words[dash + 1])
      guard !withoutUserFiles.contains(kind), !remote.contains(kind),
        !kind.hasPrefix("fuse.") || !isNetworkFuse(kind)
      else { continue }
      let point = FilePath(bytes: unescaped(words[4]))
      if !points.contains(point) { points.append(point) }
    }
    return points
  }

  /// Returns the mount point of a path without links: the longest one that begins the path.
  static func mountPoint(of path: FilePath, in mounts: String) -> FilePath? {
    mounts.split(separator: "\n").compactMap { line -> FilePath? in
      let words = line.split(separator: " ")
      return words.count > 4 ? FilePath(bytes: unescaped(words[4])) : nil
    }.filter { path.starts(with: $0) }.max { $0.components.count < $1.components.count }
  }

  /// Replaces the octal escapes of a path, such as `\040` for a blank.
  private static func unescaped(_ word: Substring) -> [UInt8] {
    let bytes = Array(word.utf8)
    var path: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes[min(index + 1, bytes.count)..<min(index + 4, bytes.count)]
      if bytes[index] == UInt8(ascii: "\\"), digits.count == 3,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        path.append(byte)
        index += 4
      } else {
        path.append(bytes[index])
        index += 1
      }
    }
    return path
  }
}
