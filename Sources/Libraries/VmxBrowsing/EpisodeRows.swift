import Synchronization
package import VmxCommand
package import VmxModel
package import VmxPresentation
package import VmxStore

/// Creates output rows for episodes that a writing tool has just recorded, with the full paths of
/// their files.
package final class EpisodeRows: Sendable {
  private let store: LibraryStore
  private let context: CommandContext
  /// The folders of the roots by UUID; the folder of a root never changes.
  private let folders = Mutex<[String: String]>([:])

  /// Creates rows for the episodes of a store.
  package init(of store: LibraryStore, in context: CommandContext) {
    self.store = store
    self.context = context
  }

  /// Returns the row of an episode in its current state.
  ///
  /// - Throws: the errors of the store; `bad-setting`.
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
