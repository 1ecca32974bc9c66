import Synchronization
import VmxModel
import VmxStore

// An episode waits while one before it is neither ready nor given up. A run sits through that only
// where the other is in work: in another process, or in this run and taken up before it. So nobody
// waits for what may never begin, and since no episode comes after itself, no two for each other.

/// Lets episodes wait for those that are to be ready before them.
final class DependencyGate: Sendable {
  private struct State {
    var taken = 0
    /// What this run has in work, with its rank among all that it took up.
    var ranks: [EpisodeID: Int] = [:]
    var sitting = 0
  }

  private let store: LibraryStore
  private let seats: Int
  private let state = Mutex(State())

  /// - Parameter seats: how many may sit at once, so that workers remain for what they sit for.
  init(_ store: LibraryStore, seats: Int) {
    self.store = store
    self.seats = seats
  }

  /// This run takes up an episode.
  func begin(_ id: EpisodeID) {
    state.withLock { state in
      state.taken += 1
      state.ranks[id] = state.taken
    }
  }

  /// This run is done with it.
  func end(_ id: EpisodeID) { state.withLock { $0.ranks[id] = nil } }

  /// The first episode that is to be ready before it and is not; nil if it may go on.
  ///
  /// - Throws: what the store throws.
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
  /// - Throws: `predecessor-first`, and what the store throws.
  func check(_ episode: Episode) throws {
    guard let other = try predecessor(of: episode) else { return }
    throw Failure(
      .predecessorFirst, "'\(episode.id)' comes after '\(other)'",
      hint: "fetch '\(other)' first, or lift it with 'vmx queue after \(episode.id) --none'")
  }

  /// Waits until nothing comes before an episode any longer.
  ///
  /// - Parameter pause: waits a moment; ends the wait by what it throws.
  /// - Returns: false where what comes before it is not in work, or too many wait already.
  /// - Throws: what the store throws, and the pause.
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
      // It may have become ready between the two looks.
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
