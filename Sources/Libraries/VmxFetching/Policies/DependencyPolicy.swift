import Synchronization
import VmxModel
import VmxStore
import VmxSystem

// An episode waits while an earlier one is neither ready nor given up. A run waits only while the
// earlier episode is in progress: either another process works on it, or this run began it first.
// Therefore no worker waits for an episode that may never begin. No two episodes wait for each
// other, since no episode comes after itself.

/// Makes episodes wait for those that must be ready first.
final class DependencyPolicy: TransferPolicy {
  private struct State {
    var begun = 0
    /// The episodes in progress in this run, with the order in which they began.
    var ranks: [EpisodeID: Int] = [:]
    var waiting: Set<EpisodeID> = []
  }

  let code = ErrorCode.predecessorFirst
  private let store: LibraryStore
  private let maxWaiting: Int
  private let changes: ChangeSignal
  private let state = Mutex(State())

  /// - Parameter maxWaiting: the maximum number of waiting episodes, so that workers remain for
  ///   those they wait for.
  init(_ store: LibraryStore, maxWaiting: Int, changes: ChangeSignal) {
    self.store = store
    self.maxWaiting = maxWaiting
    self.changes = changes
  }

  /// Records that this run begins an episode.
  func begin(_ id: EpisodeID) {
    state.withLock { state in
      state.begun += 1
      state.ranks[id] = state.begun
    }
  }

  /// Records that this run has finished an episode, and wakes those that wait for it.
  func end(_ id: EpisodeID) {
    state.withLock { state in
      state.ranks[id] = nil
      state.waiting.remove(id)
    }
    changes.signal()
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    // A transfer that has begun is not stopped by a new dependency.
    guard phase != .transfer, phase != .announced, let other = try predecessor(of: part, in: phase)
    else { return nil }
    return Failure(
      code, "'\(part.episode)' must wait for '\(other)'",
      hint: "fetch '\(other)' first, or run 'vmx queue after \(part.episode) --none'")
  }

  /// Whether the earlier episode is in progress and not too many episodes wait already.
  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) throws -> Bool {
    let isSeated = state.withLock { state in
      guard !state.waiting.contains(part.episode) else { return true }
      guard state.waiting.count < maxWaiting else { return false }
      state.waiting.insert(part.episode)
      return true
    }
    guard isSeated else { return false }
    guard let other = try predecessor(of: part, in: .wait) else { return true }
    // The earlier episode may have become ready between the two checks.
    let isAwaited =
      try isInWork(other, before: part.episode) || predecessor(of: part, in: .wait) == nil
    if !isAwaited { handle(.ended, of: part) }
    return isAwaited
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    guard case .ended = event else { return }
    state.withLock { _ = $0.waiting.remove(part.episode) }
  }

  /// Returns the first episode that must be ready before this one and is not. During a wait, the
  /// record is read again on each call, since the user may lift the dependency.
  private func predecessor(of part: PolicySubject, in phase: TransferPhase) throws -> EpisodeID? {
    if phase != .wait, part.predecessors.isEmpty { return nil }
    let snapshot = try store.snapshot()
    let ids =
      phase == .wait ? try snapshot.episode(part.episode)?.after ?? [] : part.predecessors
    return snapshot.predecessor(among: ids)
  }

  private func isInWork(_ other: EpisodeID, before id: EpisodeID) throws -> Bool {
    let isOurs = state.withLock { state in
      guard let rank = state.ranks[id], let before = state.ranks[other] else { return false }
      return before < rank
    }
    return try isOurs || store.claims.isHeldElsewhere(other)
  }
}
