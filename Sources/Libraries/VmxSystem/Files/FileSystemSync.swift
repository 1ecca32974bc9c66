import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// Flushes several small files of one file system with one call (syncfs), if that costs less than
/// flushing each of them.
///
/// The call also writes the unwritten bytes of other programs. So it is used only while the whole
/// machine has few unwritten bytes, and on file systems for which syncfs reports failed writes.
///
///     let flushed = FileSystemSync.flush(folders)
///     for folder in folders where !flushed.contains(folder) { try syncFolder(folder) }
package enum FileSystemSync {
  /// The minimum number of files for which one call costs less than flushing each of them.
  static let minFiles = 4
  /// The unwritten bytes of the machine, in KiB, above which a call may wait for other programs.
  private static let maxUnwritten: Int64 = 65_536
  /// The time in milliseconds for which a reading of the unwritten bytes is valid.
  private static let validity: Int64 = 100

  /// ext2 to ext4, XFS, Btrfs, F2FS and tmpfs (linux/magic.h). FUSE is not included: the kernel
  /// does not forward the call to the program that serves such a file system.
  private static let kinds: Set<UInt32> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x0102_1994,
  ]

  private static let reading = Mutex<(unwritten: Int64?, at: Int64)>((nil, .min))

  /// Whether syncfs reports failed writes, as since Linux 5.8 (syncfs(2), ERRORS).
  private static let reportsErrors: Bool = {
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: names.release) { $0.prefix { $0 != 0 }.map(\.self) }
    let numbers = release.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let version = numbers.prefix(2).map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    return version.count == 2 && (version[0], version[1]) >= (5, 8)
  }()

  /// Whether it is cheap to flush files in a folder by `flush(_:)`.
  package static func isCheap(below folder: FilePath) -> Bool {
    do throws(FileError) {
      return isCheap(on: try OpenFile(folder, .readOnly, options: .directory, followingLinks: true))
    } catch {
      return false
    }
  }

  /// Flushes each file system that contains enough of the files, as a whole.
  ///
  /// - Parameter folders: the folder of each file.
  /// - Returns: the folders whose files are now durable; the caller must flush all other files one
  ///   by one.
  package static func flush(_ folders: [FilePath]) -> Set<FilePath> {
    guard folders.count >= minFiles else { return [] }
    var devices: [FilePath: UInt64] = [:]
    var counts: [UInt64: Int] = [:]
    for folder in folders {
      guard let device = devices[folder] ?? device(of: folder) else { continue }
      devices[folder] = device
      counts[device, default: 0] += 1
    }
    var flushed: Set<FilePath> = []
    for (device, count) in counts where count >= minFiles {
      let there = devices.filter { $0.value == device }.map(\.key)
      if let folder = there.first, sync(folder) { flushed.formUnion(there) }
    }
    return flushed
  }

  /// Flushes the file system of a folder. Returns false if that is not cheap or a write failed. In
  /// the latter case, flushing the affected file reports the error.
  private static func sync(_ folder: FilePath) -> Bool {
    do throws(FileError) {
      let open = try OpenFile(folder, .readOnly, options: .directory, followingLinks: true)
      return isCheap(on: open) && linux_sync_filesystem(open.descriptor.rawValue) == 0
    } catch {
      return false
    }
  }

  private static func device(of folder: FilePath) -> UInt64? {
    do throws(FileError) { return try FileFacts.of(folder)?.device } catch { return nil }
  }

  private static func isCheap(on folder: borrowing OpenFile) -> Bool {
    var kind: UInt32 = 0
    return reportsErrors && linux_filesystem_kind(folder.descriptor.rawValue, &kind) == 0
      && kinds.contains(kind) && unwritten.map { $0 <= maxUnwritten } == true
  }

  /// The bytes of all files that are not written yet, in KiB (`Dirty` of proc_meminfo(5)); nil if
  /// the kernel does not report it.
  private static var unwritten: Int64? {
    let now = Deadline.nowMilliseconds
    return reading.withLock { reading in
      if now - validity >= reading.at {
        reading = (unwritten(in: readText("/proc/meminfo") ?? ""), now)
      }
      return reading.unwritten
    }
  }

  /// Returns the unwritten KiB from the kernel's memory table.
  static func unwritten(in table: String) -> Int64? {
    guard let line = table.split(separator: "\n").first(where: { $0.hasPrefix("Dirty:") }) else {
      return nil
    }
    return line.split(separator: " ").dropFirst().first.flatMap { Int64($0) }
  }
}
