import SystemPackage
import VmxModel
import VmxSystem

/// Keeps free the reserved bytes of the disk that will hold a part.
///
/// Sizes that only the server knows, and files of other programs, are unknown before the first
/// byte. So the disk is also checked each second during a transfer.
final class FreeSpacePolicy: TransferPolicy {
  let code = ErrorCode.diskFull
  private let reserve: ByteCount
  private let free: @Sendable (FilePath) throws -> ByteCount
  /// The refusal during transfers below each folder.
  private let checks: TimedCache<FilePath, Failure?>

  /// - Parameters:
  ///   - reserve: the number of bytes to keep free.
  ///   - free: returns the number of free bytes on the disk of a folder.
  init(
    reserve: ByteCount, _ environment: FetchEnvironment,
    free: @escaping @Sendable (FilePath) throws -> ByteCount = { try freeSpace(at: $0) }
  ) {
    self.reserve = reserve
    self.free = free
    checks = TimedCache(validity: 1000, environment)
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    guard phase == .admission else {
      return reserve.bytes == 0
        ? nil : checks.value(for: part.folder) { shortage(below: part.folder) }
    }
    let needed = ByteCount(clamping: part.unallocated) + reserve
    let free = try free(part.folder)
    guard free < needed else { return nil }
    return Failure(
      code, "need \(needed.forPeople), \(free.forPeople) free: '\(part.folder)'")
  }

  private func shortage(below folder: FilePath) -> Failure? {
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
