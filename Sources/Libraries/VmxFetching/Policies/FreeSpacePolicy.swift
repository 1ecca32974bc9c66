import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

/// Keeps the reserved bytes of the disk that will hold a part free.
///
/// The sizes of files that other programs write are unknown in advance. So the disk is also checked
/// every second during a transfer, and earlier if the bytes received since may have used the space.
final class FreeSpacePolicy: TransferPolicy {
  private static let validity: Int64 = 1000

  private struct State {
    /// The free bytes below each folder when they were last read, and the time of that reading.
    var free: [FilePath: (bytes: Int64, at: Int64)] = [:]
    /// The bytes received below each folder since then.
    var received: [FilePath: Int64] = [:]
    /// The bytes that admitted parts are about to allocate, by the part's key.
    var reserved: [String: (folder: FilePath, bytes: Int64)] = [:]
  }

  let code = ErrorCode.diskFull
  private let reserve: ByteCount
  private let free: @Sendable (FilePath) throws -> ByteCount
  private let makeRoom: @Sendable (FilePath, ByteCount) throws -> Void
  private let monotonicNow: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameters:
  ///   - reserve: the number of bytes to keep free.
  ///   - free: returns the number of free bytes on the disk of a folder.
  init(
    reserve: ByteCount, _ environment: FetchEnvironment,
    free: @escaping @Sendable (FilePath) throws -> ByteCount = { try freeSpace(at: $0) }
  ) {
    self.reserve = reserve
    self.free = free
    makeRoom = environment.makeRoom
    monotonicNow = environment.monotonicNow
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    switch phase {
    case .admission, .announced: try reserveSpace(part)
    case .transfer, .wait: reserve.bytes == 0 ? nil : shortage(below: part.folder)
    }
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    state.withLock { state in
      switch event {
      case .received(let bytes):
        // The first bytes of a part allocate the space of the whole file.
        state.reserved[part.key] = nil
        state.received[part.folder, default: 0] += bytes
      case .ended: state.reserved[part.key] = nil
      case .connectionLost: break
      }
    }
  }

  /// Promises a part the space for its missing bytes, until they are allocated.
  private func reserveSpace(_ part: PolicySubject) throws -> Failure? {
    guard try shortage(of: part) != nil else { return nil }
    let needed = part.unallocated.addingClamped(reserve.bytes).addingClamped(promised(part))
    try makeRoom(part.folder, ByteCount(clamping: needed))
    return try shortage(of: part)
  }

  /// Returns the bytes below the folder of a part that were promised to other parts.
  private func promised(_ part: PolicySubject) -> Int64 {
    state.withLock { state in
      state.reserved.filter { $0.key != part.key && $0.value.folder == part.folder }.values
        .map(\.bytes).clampedSum()
    }
  }

  /// Promises the space; returns the refusal if there is too little.
  private func shortage(of part: PolicySubject) throws -> Failure? {
    let free = try free(part.folder)
    return state.withLock { state in
      state.reserved[part.key] = nil
      let others = state.reserved.values.filter { $0.folder == part.folder }
      let needed = part.unallocated.addingClamped(reserve.bytes)
      guard free.bytes < needed.addingClamped(others.map(\.bytes).clampedSum()) else {
        if part.unallocated > 0 { state.reserved[part.key] = (part.folder, part.unallocated) }
        return nil
      }
      return Failure(
        code,
        "need \(ByteCount(clamping: needed).forPeople), \(free.forPeople) free: '\(part.folder)'")
    }
  }

  private func shortage(below folder: FilePath) -> Failure? {
    let now = monotonicNow()
    let isFine = state.withLock { state in
      guard let known = state.free[folder], now - known.at < Self.validity else { return false }
      return known.bytes - state.received[folder, default: 0] >= reserve.bytes
    }
    if isFine { return nil }
    do {
      let free = try free(folder)
      state.withLock { state in
        state.free[folder] = (free.bytes, now)
        state.received[folder] = 0
      }
      guard free < reserve else { return nil }
      return Failure(
        code, "reserve of \(reserve.forPeople) reached, \(free.forPeople) free: '\(folder)'")
    } catch {
      // If the free space is unknown, writing will report a full disk.
      return nil
    }
  }
}
