import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxSystem

@Suite struct NetworkFileSystemTests {
  static let mounts = """
    25 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
    60 25 0:52 / /mnt/far rw,nosuid,nodev shared:30 - fuse.sshfs user@host: rw,user_id=0
    61 25 8:17 / /mnt/stick\\040one rw - fuseblk /dev/sdb1 rw
    62 25 0:60 / /mnt/plain rw master:1 propagate_from:2 - fuse mystery rw

    """

  @Test func `the type of a mount is found after any number of optional fields`() {
    let kind = { FileSystemKind.name(of: $0, in: Self.mounts) }
    #expect(kind("254:0") == "ext4")
    #expect(kind("0:52") == "fuse.sshfs")
    #expect(kind("8:17") == "fuseblk")
    #expect(kind("0:60") == "fuse")
    #expect(kind("9:9") == nil)
  }

  @Test func `a FUSE mount counts as remote unless it is known to be local`() {
    #expect(!FileSystemKind.isNetworkFuse("fuseblk"))
    #expect(!FileSystemKind.isNetworkFuse("fuse.mergerfs"))
    #expect(FileSystemKind.isNetworkFuse("fuse.sshfs"))
    #expect(FileSystemKind.isNetworkFuse("fuse"))
    #expect(FileSystemKind.isNetworkFuse(nil))
  }

  @Test(arguments: [0x6969, 0xFF53_4D42, 0xFE53_4D42] as [UInt32])
  func `nfs and smb are remote`(kind: UInt32) {
    #expect(FileSystemKind.network.contains(kind))
  }

  @Test(arguments: [0xEF53, 0x0102_1994, 0x9123_683E, 0x5846_5342, 0x794C_7630] as [UInt32])
  func `ext4, tmpfs, btrfs, xfs and overlay are local`(kind: UInt32) {
    #expect(!FileSystemKind.network.contains(kind))
  }

  @Test func `the kernel's own file systems are local`() throws {
    #expect(try !isNetworkFileSystem("/proc"))
  }

  @Test func `the type of a missing path is not guessed`() {
    #expect(throws: FileError.failed(.open, "/nonexistent", .noSuchFileOrDirectory)) {
      _ = try isNetworkFileSystem("/nonexistent")
    }
  }
}
