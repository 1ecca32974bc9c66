import VmxModel
import VmxStore

/// Appends records to the new store in batches. Without a store, for a plan, it discards them.
final class RebuildWriter {
  private static let maxBatchSize = 500

  private let store: LibraryStore?
  private var episodes: [Episode] = []
  private var records: [StoredRecord] = []

  init(_ store: LibraryStore?) {
    self.store = store
  }

  func append(_ episode: Episode) throws {
    episodes.append(episode)
    if episodes.count >= Self.maxBatchSize { try finish() }
  }

  func append(_ record: StoredRecord) throws {
    records.append(record)
    if records.count >= Self.maxBatchSize { try finish() }
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
