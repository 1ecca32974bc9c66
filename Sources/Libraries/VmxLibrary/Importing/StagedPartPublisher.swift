import SystemPackage
import VmxEngine
package import VmxModel
package import VmxStore
import VmxSystem

/// Publishes complete local files as parts of a recorded episode. It verifies them, publishes them
/// and writes the sidecar as a fetch does.
package struct StagedPartPublisher: Sendable {
  private let store: LibraryStore
  private let finisher: PartFinisher
  private let clock: any WallClock
  private let actions: PartActions
  private let journal: StoreJournal<PartActions>
  private let runner: Runner<FetchContext>

  /// Creates a publisher of local files for a store.
  package init(store: LibraryStore, finisher: PartFinisher, clock: any WallClock) {
    self.store = store
    self.finisher = finisher
    self.clock = clock
    actions = PartActions(source: LocalSource(), finisher: finisher)
    journal = StoreJournal(store, of: .importing)
    runner = Runner(fetchMachines, journal: journal, clock: clock)
  }

  /// Publishes files as parts of an episode, under its claim.
  ///
  /// - Parameter claim: the claim, if the caller holds it; nil to try to acquire it once, without
  ///   waiting.
  /// - Returns: the recorded episode, and the failure to write its sidecar or NFO file.
  /// - Throws: `lock-busy`, `internal-error` for a part that the episode lacks, and errors of the
  ///   store. Also the code of the first part that is rejected, after the others are published and
  ///   the sidecar is written.
  package func publish(
    _ files: [ImportedFile], of id: EpisodeID, root: MediaRoot, under claim: Claim? = nil
  ) throws -> (episode: Episode, unsaved: Failure?) {
    let own = claim == nil ? try store.claimEpisode(id) : nil
    defer { own?.claim.release() }
    guard var episode = try own?.episode ?? store.snapshot().episode(id) else {
      throw Failure.noSuchEpisode(id)
    }
    var rejection: Failure?
    // Another import or a fetch may have added a file since the episode was recorded.
    for file in files where !episode.hasPart(file.part, file.found.sha256) {
      let failure: Failure?
      (episode, failure) = try publish(file, of: episode, root: root)
      rejection = rejection ?? failure
    }
    let found = Dictionary(files.map { ($0.part, $0.found) }, uniquingKeysWith: { $1 })
    let unsaved = finisher.writeSidecar(episode, found: found)
    if let rejection { throw rejection }
    return (episode, unsaved)
  }

  /// Returns the recorded episode, and the failure of the part if it is rejected.
  private func publish(
    _ file: ImportedFile, of episode: Episode, root: MediaRoot
  ) throws -> (episode: Episode, rejection: Failure?) {
    guard let index = episode.parts.firstIndex(where: { $0.name == file.part }) else {
      throw Failure(.internalError, "'\(episode.id)' has no part '\(file.part)'")
    }
    let files = PartFiles(root: root.folder, episode: episode.id, part: episode.parts[index])
    if file.path != files.partial { try files.adopt(whole: file.path) }
    var context = FetchContext(episode, part: index, actions)
    try context.receive(file.found, root: root.uuid, journal: journal, now: clock.now)
    try runner.run(&context)
    let rejection = context.part.code.map {
      Failure($0, context.part.message ?? $0.entry.sentence)
    }
    return (context.episode, rejection)
  }
}

/// The source of a file that was copied into the library: only verification and publication remain.
private struct LocalSource: PartSource {
  func completedBytes(of part: FetchContext) throws -> CompletedBytes { .all }

  func admit(_ part: FetchContext) throws {}

  func transfer(_ part: FetchContext) throws -> FoundBytes {
    throw Failure(.sourceUnsupported, "'\(part.episode.id)' came from a file and has no source")
  }
}
