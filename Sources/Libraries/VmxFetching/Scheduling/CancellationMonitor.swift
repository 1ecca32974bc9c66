import VmxModel
import VmxStore

/// Determines whether the episodes of this process are still wanted; results are at most half a
/// second old.
final class CancellationMonitor: Sendable {
  private let store: LibraryStore
  /// The wanted episodes. Others are not cached: a refusal must not outlive a new request of the
  /// user.
  private let wanted: TimedCache<EpisodeID, Bool>

  init(_ store: LibraryStore, _ environment: FetchEnvironment) {
    self.store = store
    wanted = TimedCache(validity: 400, environment)
  }

  /// Records that an episode is wanted, just after that was read or written.
  func markWanted(_ id: EpisodeID) { wanted.set(true, for: id) }

  /// The reason to stop working on an episode; nil while it is wanted.
  func refusal(of id: EpisodeID) -> Failure? {
    do throws(StoreError) {
      if wanted[id] == true { return nil }
      guard try store.snapshot().episode(id)?.want == .fetch else {
        return Failure(.held, "'\(id)' is no longer wanted")
      }
    } catch {
      // If the store cannot be read, the work soon ends with the store's own error.
    }
    markWanted(id)
    return nil
  }
}
