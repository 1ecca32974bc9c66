import Synchronization
import VmxModel
import VmxStore

/// Reports the episodes that this process and others have changed in the store.
final class RecordWatch: Sendable {
  private let store: LibraryStore
  private let follower = Mutex<StoreFollower?>(nil)

  /// Creates a watch that begins with the first call of `changes`.
  init(_ store: LibraryStore) {
    self.store = store
  }

  /// Returns the episodes with wanted ids whose records have changed since the last call; none at
  /// the first call.
  func changes(where isWanted: @Sendable (EpisodeID) -> Bool) -> [Episode] {
    follower.withLock { follower in
      var changed: [Episode] = []
      do {
        let current = try follower ?? StoreFollower(store)
        follower = current
        try current.forEachChange { kind, id, _ in
          kind == .episode && EpisodeID(valid: id).map(isWanted) == true
        } _: { change in
          if case .episode(let episode) = change.content { changed.append(episode) }
        }
      } catch {
        // The work on an episode reports the error of the store.
      }
      return changed
    }
  }
}
