package import VmxModel
package import VmxStore

/// Takes many descriptions into the store in one durable step.
package struct EpisodeBatchImporter: Sendable {
  /// So many descriptions are looked for one by one; for more an index costs less.
  private static let few = 4

  private let store: LibraryStore
  private let clock: any WallClock

  /// An intake into a store.
  package init(store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Takes descriptions in, in their order; one that cannot be taken does not hinder the others.
  ///
  /// - Returns: what became of each, durable.
  /// - Throws: what the store throws; then none of them was taken.
  package func take(
    _ descriptions: [EpisodeDescription]
  ) throws -> [Result<EpisodeImporter.Taken, Failure>] {
    let intakes = try descriptions.map { try EpisodeImporter($0, secrets: store.secrets) }
    if intakes.count > Self.few {
      try store.prepareForMany()
    } else {
      for episodeImporter in intakes { try episodeImporter.prepare(in: store) }
    }
    let now = clock.now
    return try store.update(.durable) { transaction in
      try intakes.map { episodeImporter in
        do {
          return .success(try episodeImporter.take(into: &transaction, now: now))
        } catch let failure as Failure {
          return .failure(failure)
        }
      }
    }
  }
}
