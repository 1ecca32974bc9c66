import Synchronization
package import VmxCommand
package import VmxModel
package import VmxPresentation
package import VmxStore

/// Makes rows of episodes that a writing tool has just recorded, with their files' whole paths.
package final class EpisodeRows: Sendable {
  private let store: LibraryStore
  private let context: CommandContext
  /// Folders of roots by UUID; a root keeps its folder for good.
  private let folders = Mutex<[String: String]>([:])

  /// Rows of a store's episodes.
  package init(of store: LibraryStore, in context: CommandContext) {
    self.store = store
    self.context = context
  }

  /// An episode as it is now.
  ///
  /// - Throws: what the store throws; `bad-setting`.
  package func row(of episode: Episode) throws -> EpisodeRow {
    var facts = EpisodeFacts(try context.dueRule())
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
