import Synchronization
import VmxLibrary
import VmxModel
import VmxStore
import VmxTransfer

/// Limits the number of bytes that the library holds and is about to hold.
///
/// Files of other processes are included from the next count on; counts are at least 30 s apart.
final class QuotaPolicy: TransferPolicy {
  private static let validity: Int64 = 30_000

  private struct State {
    var counted: Int64 = 0
    var countedAt: Int64?
    /// The bytes received since that count.
    var receivedSince: Int64 = 0
    /// The bytes that running transfers have not received yet, by the part's key.
    var expected: [String: Int64] = [:]
  }

  let code = ErrorCode.quotaReached
  private let quota: ByteCount
  private let count: @Sendable () throws -> Int64
  private let monotonicNow: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameter count: counts the bytes of all files, including partial ones.
  init(
    _ quota: ByteCount, _ environment: FetchEnvironment,
    count: @escaping @Sendable () throws -> Int64
  ) {
    self.quota = quota
    self.count = count
    monotonicNow = environment.monotonicNow
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    if phase == .admission || phase == .announced {
      return try reserve(part.missing, for: part.key)
    }
    return state.withLock { state in
      guard state.counted.addingClamped(state.receivedSince) > quota.bytes else { return nil }
      return Failure(code, "the library has reached its quota of \(quota.forPeople)")
    }
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    state.withLock { state in
      switch event {
      case .received(let bytes):
        state.receivedSince += bytes
        if let left = state.expected[part.key] { state.expected[part.key] = max(0, left - bytes) }
      case .ended: state.expected[part.key] = nil
      case .connectionLost: break
      }
    }
  }

  /// Reserves space for the missing bytes of a part until it ends.
  private func reserve(_ missing: Int64?, for key: String) throws -> Failure? {
    try refresh()
    return state.withLock { state in
      state.expected[key] = nil
      let held = [state.counted, state.receivedSince, state.expected.values.clampedSum()]
        .clampedSum()
      // A part of unknown size needs space for one byte.
      guard held.addingClamped(missing ?? 1) > quota.bytes else {
        state.expected[key] = missing
        return nil
      }
      let room = ByteCount(clamping: quota.bytes - held).forPeople
      return Failure(code, "\(room) left of the library's quota of \(quota.forPeople)")
    }
  }

  private func refresh() throws {
    let now = monotonicNow()
    let isFresh = state.withLock { $0.countedAt.map { now - $0 < Self.validity } ?? false }
    guard !isFresh else { return }
    let counted = try count()
    state.withLock { state in
      state.counted = counted
      state.countedAt = now
      state.receivedSince = 0
    }
  }
}

/// Counts the bytes of all whole and partial files of a library, according to its records.
///
/// If a root is unreachable, its complete files count with the size in the store, and its partial
/// files do not count.
func diskUsage(of store: LibraryStore, _ mediaRoots: MediaRoots) throws -> Int64 {
  var sum: Int64 = 0
  try store.snapshot().episodes(matching: EpisodeQuery()) { episode in
    for index in episode.parts.indices {
      let bytes = try diskUsage(of: EpisodePart(episode, at: index), mediaRoots)
      sum = sum.addingClamped(bytes)
    }
    return true
  }
  return sum
}

private func diskUsage(of work: EpisodePart, _ mediaRoots: MediaRoots) throws -> Int64 {
  switch work.part.resumeState ?? work.part.state {
  case .complete, .checked, .ready, .damaged: return work.part.size?.bytes ?? 0
  case .queued, .probed, .partial:
    do {
      return try PartLocation(of: work, on: mediaRoots).completedBytes(of: work)
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      return 0
    }
  default: return 0
  }
}
