import Synchronization
package import VmxModel
package import VmxPresentation
package import VmxStore

/// Makes rows of episodes that a writing tool has just recorded, with their files' whole paths.
package final class EpisodeRows: Sendable {
  private let store: LibraryStore
  private let clock: any WallClock
  /// Folders of roots by UUID; a root keeps its folder for good.
  private let folders = Mutex<[String: String]>([:])

  /// Rows of a store's episodes.
  package init(of store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// An episode as it is now.
  ///
  /// - Throws: what the store throws.
  package func row(of episode: Episode) throws(StoreError) -> EpisodeRow {
    var facts = EpisodeFacts(now: clock.now)
    for root in Set(episode.parts.compactMap(\.root)) {
      facts.folders[root] = try folder(of: root)
    }
    return EpisodeRow(episode, facts)
  }

  private func folder(of root: String) throws(StoreError) -> String? {
    if let folder = folders.withLock({ $0[root] }) { return folder }
    let folder = try store.snapshot().record(.root, root)?.fields["path"]?.string
    folders.withLock { $0[root] = folder }
    return folder
  }
}
