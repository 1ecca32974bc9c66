import Synchronization
import VmxModel
import VmxStore

// An episode waits while an earlier one is neither ready nor given up. A run waits only while the
// earlier episode is in progress. Either another process works on it, or this run began it first.
// So no worker waits for an episode that may never begin. No two wait for each other, since no
// episode comes after itself.

/// Makes episodes wait for those that must be ready first.
final class DependencyGate: Sendable {
  private struct State {
    var taken = 0
    /// The episodes in progress in this run, with the order in which they began.
    var ranks: [EpisodeID: Int] = [:]
    var sitting = 0
  }

  private let store: LibraryStore
  private let seats: Int
  private let state = Mutex(State())

  /// - Parameter seats: the maximum number of waiting episodes, so that workers remain for those
  ///   they wait for.
  init(_ store: LibraryStore, seats: Int) {
    self.store = store
    self.seats = seats
  }

  /// Records that this run begins an episode.
  func begin(_ id: EpisodeID) {
    state.withLock { state in
      state.taken += 1
      state.ranks[id] = state.taken
    }
  }

  /// Records that this run has finished an episode.
  func end(_ id: EpisodeID) { state.withLock { $0.ranks[id] = nil } }

  /// The first episode that must be ready before this one and is not; nil if it may continue.
  ///
  /// - Throws: errors of the store.
  func predecessor(of episode: Episode) throws -> EpisodeID? {
    guard !episode.after.isEmpty else { return nil }
    let snapshot = try store.snapshot()
    for id in episode.after {
      if let other = try snapshot.episode(id), other.holdsOthers { return other.id }
    }
    return nil
  }

  /// Refuses an episode that has to wait.
  ///
  /// - Throws: `predecessor-first` and errors of the store.
  func check(_ episode: Episode) throws {
    guard let other = try predecessor(of: episode) else { return }
    throw Failure(
      .predecessorFirst, "'\(episode.id)' comes after '\(other)'",
      hint: "fetch '\(other)' first, or lift it with 'vmx queue after \(episode.id) --none'")
  }

  /// Waits until no unfinished episode comes before this one.
  ///
  /// - Parameter pause: waits a moment; an error that it throws ends the wait.
  /// - Returns: false if the earlier episode is not in progress or too many episodes wait already.
  /// - Throws: errors of the store and of `pause`.
  func waitForPolicy(_ id: EpisodeID, pause: () throws -> Void) throws -> Bool {
    let hasSeat = state.withLock { state in
      guard state.sitting < seats else { return false }
      state.sitting += 1
      return true
    }
    guard hasSeat else { return false }
    defer { state.withLock { $0.sitting -= 1 } }
    while let episode = try store.snapshot().episode(id) {
      let isComing = try predecessor(of: episode).map { try isInWork($0, before: id) }
      guard let isComing else { return true }
      // The earlier episode may have become ready between the two checks.
      guard try isComing || predecessor(of: episode) == nil else { return false }
      try pause()
    }
    return false
  }

  private func isInWork(_ other: EpisodeID, before id: EpisodeID) throws -> Bool {
    let isOurs = state.withLock { state in
      guard let rank = state.ranks[id], let before = state.ranks[other] else { return false }
      return before < rank
    }
    return try isOurs || store.claims.isHeldElsewhere(other)
  }
}
