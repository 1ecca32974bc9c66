package import VmxModel
package import VmxNaming
package import VmxStore

/// Imports many descriptions into the store in one durable transaction.
package struct EpisodeBatchImporter: Sendable {
  private let store: LibraryStore
  private let clock: any WallClock
  private let catalogue: String?
  private let nfo: NFOSettings

  /// Creates an importer for a store.
  ///
  /// - Parameters:
  ///   - catalogue: as for `EpisodeImporter`.
  ///   - nfo: the settings of NFO files, which get corrected titles; by default they are not
  ///     changed.
  package init(
    store: LibraryStore, clock: any WallClock, catalogue: String? = nil,
    nfo: NFOSettings = .none
  ) {
    self.store = store
    self.clock = clock
    self.catalogue = catalogue
    self.nfo = nfo
  }

  /// Imports descriptions in their order. A failure for one description does not stop the others.
  ///
  /// - Parameter isTyped: whether the user typed their sources. Only then a removal by the user is
  ///   lifted.
  /// - Returns: the result for each, durable.
  /// - Throws: errors of the store; then nothing was imported.
  package func add(
    _ descriptions: [EpisodeDescription], isTyped: Bool
  ) throws -> [Result<EpisodeImporter.Imported, Failure>] {
    let importers = try descriptions.map {
      try EpisodeImporter(
        $0, isTyped: isTyped, catalogue: catalogue, secrets: store.isDryRun ? nil : store.secrets)
    }
    if importers.count > LibraryStore.maxUnindexedLookups {
      try store.prepareForMany()
    } else {
      for importer in importers { try importer.prepare(in: store) }
    }
    let now = clock.now
    func importAll(
      into transaction: inout StoreTransaction
    ) throws -> [Result<EpisodeImporter.Imported, Failure>] {
      try importers.map { importer in
        do {
          return .success(try importer.upsert(into: &transaction, now: now))
        } catch let failure as Failure {
          return .failure(failure)
        }
      }
    }
    let imported = try store.update(.durable, importAll)
    if !store.isDryRun { try refreshSidecars(of: imported) }
    return imported
  }

  /// Writes the values and requests of a person to the sidecars at once: a home may be lost before
  /// the next `vmx clean`.
  private func refreshSidecars(
    of imported: [Result<EpisodeImporter.Imported, Failure>]
  ) throws {
    let sidecars = SidecarWriter(
      mediaRoots: MediaRoots(store: store), nfo: nfo)
    for case .success(let taken) in imported where taken.verdict == .updated {
      guard let before = taken.before else { continue }
      if taken.episode.hasLaterValues(than: before) {
        try sidecars.refresh(taken.episode.id, withNFO: sidecars.writesNFO)
      }
      if taken.episode.by.isLater(.want, than: before.by) {
        sidecars.refreshRequest(of: taken.episode)
      }
    }
  }
}
