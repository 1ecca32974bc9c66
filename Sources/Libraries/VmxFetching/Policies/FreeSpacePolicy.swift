import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// Keeps free the reserved bytes of the disk that will hold a part.
///
/// Sizes that only the server knows, and files of other programs, are unknown before the first
/// byte. So the disk is also checked each second during a transfer.
final class FreeSpacePolicy: TransferPolicy {
  private static let validity: Int64 = 1000

  let code = ErrorCode.diskFull
  private let reserve: ByteCount
  private let moment: @Sendable () -> Int64
  private let free: @Sendable (FilePath) throws -> ByteCount
  /// The refusal below each folder and the time of its last check.
  private let checks = Mutex<[FilePath: (at: Int64, refusal: Failure?)]>([:])

  /// - Parameters:
  ///   - reserve: the number of bytes to keep free.
  ///   - moment: returns milliseconds of the monotonic clock.
  ///   - free: returns the number of free bytes on the disk of a folder.
  init(
    reserve: ByteCount, moment: @escaping @Sendable () -> Int64,
    free: @escaping @Sendable (FilePath) throws -> ByteCount = { try freeSpace(at: $0) }
  ) {
    self.reserve = reserve
    self.moment = moment
    self.free = free
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    phase == .admission ? try admission(of: part) : current(below: part.folder)
  }

  private func admission(of part: PolicySubject) throws -> Failure? {
    let needed = ByteCount(clamping: part.unallocated) + reserve
    let free = try free(part.folder)
    guard free < needed else { return nil }
    return Failure(
      code, "need \(needed.forPeople), \(free.forPeople) free: '\(part.folder)'")
  }

  private func current(below folder: FilePath) -> Failure? {
    guard reserve.bytes > 0 else { return nil }
    let now = moment()
    return checks.withLock { checks in
      if let last = checks[folder], now - last.at < Self.validity { return last.refusal }
      let refusal = check(folder)
      checks[folder] = (now, refusal)
      return refusal
    }
  }

  private func check(_ folder: FilePath) -> Failure? {
    do {
      let free = try free(folder)
      guard free < reserve else { return nil }
      return Failure(
        code, "\(reserve.forPeople) are to stay free, \(free.forPeople) are: '\(folder)'")
    } catch {
      // If the free space is unknown, writing will report a full disk.
      return nil
    }
  }
}
