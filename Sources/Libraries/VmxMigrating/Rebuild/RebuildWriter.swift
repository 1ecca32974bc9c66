import VmxModel
import VmxStore

/// Appends records to the new store in batches. Without a store, for a plan, it discards them.
final class RebuildWriter {
  private static let maxBatchSize = 500

  private let store: LibraryStore?
  private var episodes: [Episode] = []
  private var records: [StoredRecord] = []
  /// The first episode of each show: the one with the key of the show's owner, if there is one.
  private var owners: [String: (id: EpisodeID, hasKey: Bool)] = [:]

  init(_ store: LibraryStore?) {
    self.store = store
  }

  func append(_ episode: Episode) throws {
    let hasKey = episode.identity.contains(.showOwner(episode.id.show))
    if let owner = owners[episode.id.show], owner.hasKey || !hasKey && owner.id < episode.id {
      // The show has a better one.
    } else {
      owners[episode.id.show] = (episode.id, hasKey)
    }
    episodes.append(episode)
    if episodes.count >= Self.maxBatchSize { try finish() }
  }

  func append(_ record: StoredRecord) throws {
    records.append(record)
    if records.count >= Self.maxBatchSize { try finish() }
  }

  /// Gives the first episodes of shows the keys by which slug, title and earlier titles find them.
  /// The sidecar of an episode may be older than a renaming of its show.
  func restoreOwners(of shows: [LibraryShow]) throws {
    try finish()
    guard let store, !shows.isEmpty else { return }
    try store.prepareForMany()
    try store.update(.soon) { transaction in
      for show in shows {
        guard let id = owners[show.slug]?.id, var episode = try transaction.episode(id) else {
          continue
        }
        let before = episode
        let titles = [show.title].compactMap(\.self) + show.earlierTitles
        let names = titles.map { Slug(transliterating: $0, fallback: $0).description }
        episode.addIdentity(
          [.showOwner(show.slug)] + names.filter { $0 != show.slug }.map { .showTitled($0) })
        if episode != before { transaction.write(episode) }
      }
    }
  }

  /// Appends the remaining records.
  func finish() throws {
    defer { (episodes, records) = ([], []) }
    guard let store, !episodes.isEmpty || !records.isEmpty else { return }
    try store.update(.soon) { transaction in
      for record in records { transaction.write(record) }
      for episode in episodes { _ = transaction.recorded(episode) }
    }
  }
}
