import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// Checks each second whether the disk still has the reserved free bytes. Sizes that only the
/// server knows, and files of other programs, are unknown before the first byte.
final class FreeSpaceMonitor: Sendable {
  private static let betweenLooks: Int64 = 1000

  private let folder: FilePath
  private let reserve: ByteCount
  private let moment: @Sendable () -> Int64
  private let free: @Sendable (FilePath) throws -> ByteCount
  private let seen = Mutex<(at: Int64, refusal: Failure?)?>(nil)

  /// - Parameters:
  ///   - folder: a folder on the disk.
  ///   - reserve: the number of bytes to keep free.
  ///   - moment: returns milliseconds of the monotonic clock.
  ///   - free: returns the number of free bytes on the disk of a folder.
  init(
    _ folder: FilePath, reserve: ByteCount,
    moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 },
    free: @escaping @Sendable (FilePath) throws -> ByteCount = { try freeSpace(at: $0) }
  ) {
    self.folder = folder
    self.reserve = reserve
    self.moment = moment
    self.free = free
  }

  /// `disk-full` once fewer bytes than the reserve are free.
  var refusal: Failure? {
    guard reserve.bytes > 0 else { return nil }
    let now = moment()
    return seen.withLock { seen in
      if let seen, now - seen.at < Self.betweenLooks { return seen.refusal }
      let refusal = look()
      seen = (now, refusal)
      return refusal
    }
  }

  private func look() -> Failure? {
    do {
      let free = try free(folder)
      guard free < reserve else { return nil }
      return Failure(
        .diskFull, "\(reserve.forPeople) are to stay free, \(free.forPeople) are: '\(folder)'")
    } catch {
      // If the free space is unknown, writing will report a full disk.
      return nil
    }
  }
}
