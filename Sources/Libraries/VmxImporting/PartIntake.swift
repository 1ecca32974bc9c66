package import SystemPackage
import VmxEngine
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

/// Takes whole local files as parts of a recorded episode: verification, publication and sidecar are
/// those of a fetch.
package struct PartIntake: Sendable {
  /// A whole file on the root's file system, which becomes the file of a part.
  package struct File: Sendable {
    /// Its present path; no file has it once the part is ready.
    package let path: FilePath
    /// The name of the part.
    package let part: String
    /// Its size, digest and segments, as computed from these bytes.
    package let found: FoundBytes

    /// Creates a file of a part.
    package init(_ path: FilePath, part: String, found: FoundBytes) {
      self.path = path
      self.part = part
      self.found = found
    }
  }

  private let store: LibraryStore
  private let finisher: PartFinisher
  private let clock: any WallClock

  /// Creates an intake for a store.
  package init(store: LibraryStore, finisher: PartFinisher, clock: any WallClock) {
    self.store = store
    self.finisher = finisher
    self.clock = clock
  }

  /// Publishes files as parts of an episode, under its claim.
  ///
  /// - Parameter claim: the claim, if the caller holds it; else it is tried once.
  /// - Returns: the episode as recorded then, and the failure to write what belongs beside it.
  /// - Throws: `lock-busy`, `internal-error` for a part that the episode lacks, the code of a part
  ///   that is rejected, and errors of the store. The parts before it are published.
  package func take(
    _ files: [File], of id: EpisodeID, root: MediaRoot, under claim: Claim? = nil
  ) throws -> (episode: Episode, unsaved: Failure?) {
    let own = claim == nil ? try store.claims.claim(id) : nil
    guard claim != nil || own != nil else {
      throw Failure(.lockBusy, "'\(id)' is being worked on")
    }
    defer { own?.release() }
    guard var episode = try store.snapshot().episode(id) else {
      throw Failure.noSuchEpisode("\(id)")
    }
    // The other import of a bundle, or a fetch, may have brought a file since it was recorded.
    for file in files where !episode.holds(file.part, file.found.sha256) {
      episode = try take(file, of: episode, root: root)
    }
    let found = Dictionary(files.map { ($0.part, $0.found) }, uniquingKeysWith: { $1 })
    return (episode, finisher.remember(episode, found: found))
  }

  private func take(_ file: File, of episode: Episode, root: MediaRoot) throws -> Episode {
    guard let index = episode.parts.firstIndex(where: { $0.name == file.part }) else {
      throw Failure(.internalError, "'\(episode.id)' has no part '\(file.part)'")
    }
    let files = PartFiles(root: root.folder, episode: episode.id, part: episode.parts[index])
    try files.take(whole: file.path)
    let actions = PartActions(source: LocalSource(), finisher: finisher)
    let journal = StoreJournal<PartActions>(store, of: .importing)
    var context = FetchContext(episode, part: index, actions)
    try context.receive(file.found, root: root.uuid, journal: journal, now: clock.now)
    try Runner(fetchMachines, journal: journal, clock: clock).run(&context)
    if let code = context.part.code {
      throw Failure(code, context.part.message ?? code.entry.sentence)
    }
    return context.episode
  }
}

/// The source of a file that was copied into the library: only verification and publication remain.
private struct LocalSource: PartSource {
  func held(of part: FetchContext) throws -> HeldBytes { .all }

  func admit(_ part: FetchContext) throws {}

  func transfer(_ part: FetchContext) throws -> FoundBytes {
    throw Failure(.sourceUnsupported, "'\(part.episode.id)' came from a file and has no source")
  }
}
