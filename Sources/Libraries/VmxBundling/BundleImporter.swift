package import SystemPackage
import VmxDigest
package import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// An import is a request, like `vmx add`: each episode gets the want `fetch`, and what a person
// removed stays removed. The files were verified with the whole bag before the first record is
// written; then each episode is recorded and its files are published as those of a fetch are. A crash
// leaves whole episodes, and copies that the next import removes.

/// Takes the episodes of a bundle into the library.
///
///     let importer = BundleImporter(store: store, mediaRoots: roots, operations: operations, …)
///     try importer.take(BundleSource(path) { … }, .take) { result in … }
package struct BundleImporter: Sendable {
  /// The choice where the library has other bytes for the same episode.
  package enum Conflict: String, Sendable, CaseIterable {
    /// Both are kept: the one of the bundle becomes another episode.
    case both
    /// That of the library stays.
    case keep
    /// That of the bundle replaces it, which can be undone.
    case replace
  }

  /// A file of the bundle that is to become the file of a part.
  package struct StagedPart: Sendable {
    /// Its path on the file system of the root.
    package let file: FilePath
    /// The name of the part.
    package let part: String
    /// Its size, digest and segments.
    package let found: FoundBytes
  }

  /// The operations of other targets.
  package struct Operations: Sendable {
    /// Publishes files as parts of a recorded episode.
    let publish:
      @Sendable ([StagedPart], EpisodeID, MediaRoot) throws -> (episode: Episode, unsaved: Failure?)
    /// Moves the files of an episode into the trash, so that it can be undone.
    let remove: @Sendable (EpisodeID) throws -> Void

    /// Creates the operations.
    package init(
      publish:
        @escaping @Sendable ([StagedPart], EpisodeID, MediaRoot) throws -> (
          episode: Episode, unsaved: Failure?
        ),
      remove: @escaping @Sendable (EpisodeID) throws -> Void
    ) {
      self.publish = publish
      self.remove = remove
    }
  }

  /// The choices of the user.
  package struct Options: Sendable {
    /// The choice where the library has other bytes.
    package var conflict = Conflict.both
    /// Whether the intact episodes of a damaged or invalid bundle are taken.
    package var takesIntact = false
    /// Whether nothing is changed.
    package var isDryRun = false

    /// Creates the usual choices.
    package init() {}
  }

  let store: LibraryStore
  let mediaRoots: MediaRoots
  let operations: Operations
  let options: Options
  let clock: any WallClock
  let shouldStop: @Sendable () -> Bool

  /// Creates an importer.
  ///
  /// - Parameter shouldStop: called often; once it returns true the import throws
  ///   `WorkEnded.interrupted`. Episodes that were reported are in the library.
  package init(
    store: LibraryStore, mediaRoots: MediaRoots, operations: Operations, options: Options,
    clock: any WallClock, shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.mediaRoots = mediaRoots
    self.operations = operations
    self.options = options
    self.clock = clock
    self.shouldStop = shouldStop
  }

  /// The use of a bundle.
  package enum Task: Sendable {
    /// Its episodes are taken into the library.
    case take
    /// Its episodes are listed.
    case list
    /// Its bytes are verified.
    case verify
    /// Damaged and missing files of these episodes are mended with its files.
    case repair([EpisodeID])
  }

  /// Reads a bundle, and does with it what was asked for.
  ///
  /// - Parameters:
  ///   - progress: called with each number of bytes that were read.
  ///   - report: called with the result of each episode, when it is durable.
  /// - Returns: the number of files of the payload, all verified unless the bundle was only listed.
  /// - Throws: as `BundleReading.read`, the errors of the store and of `report`.
  @discardableResult
  package func take(
    _ source: BundleSource, _ task: Task, progress: @escaping (Int) -> Void = { _ in },
    report: (EpisodeResult) throws -> Void
  ) throws -> Int {
    switch task {
    case .list:
      var contents = try read(source, .listing, progress)
      if contents.records == nil {
        guard source.isRepeatable else {
          throw Failure(.needsFile, "the bundle has no records that tell of its episodes first")
        }
        contents = try read(source, .verification, progress)
      }
      for episode in try contents.episodes() { try report(listed(episode)) }
      return contents.files.count
    case .verify:
      let contents = try read(source, .verification, progress)
      for episode in try contents.episodes() { try report(verified(episode, contents)) }
      try recordCopy(source, contents)
      return contents.files.count
    case .repair(let ids): return try repair(ids, source, progress, report)
    case .take: break
    }
    let root = try mediaRoots.forNewFiles()
    let place = try ImportStaging(store).place(below: root.folder)
    defer { place.release() }
    try store.prepareForMany()
    let purpose: BundleReading.Purpose =
      options.isDryRun ? .verification : .staging(place, wants: wants)
    let contents = try read(source, purpose, progress)
    var batch = PublicationBatch(in: root, operations)
    for episode in try contents.episodes() where !shouldStop() {
      if batch.isFull { try batch.publish(report) }
      if let step = step(of: episode, contents, after: batch) {
        batch.append(step)
      } else {
        try batch.publish(report)
        if let step = step(of: episode, contents, after: batch) { batch.append(step) }
      }
    }
    try batch.publish(report)
    if shouldStop() { throw WorkEnded.interrupted }
    if !options.isDryRun { try recordCopy(source, contents) }
    return contents.files.count
  }

  /// Reads a bundle; a bag whose manifests come late, with algorithms that are rare, is read twice.
  func read(
    _ source: BundleSource, _ purpose: BundleReading.Purpose, _ progress: @escaping (Int) -> Void
  ) throws -> BundleContents {
    func read(_ algorithms: Set<ManifestAlgorithm>) throws -> BundleContents {
      try source.read { reader in
        var reading = BundleReading(
          for: purpose, takesIntact: options.takesIntact, algorithms: algorithms,
          progress: progress, shouldStop: shouldStop)
        var contents = try reading.read(reader)
        contents.type = source.type(of: reader)
        return contents
      }
    }
    do {
      return try read([])
    } catch let unknown as BundleReading.UnknownAlgorithms where source.isRepeatable {
      return try read(unknown.algorithms)
    } catch is BundleReading.UnknownAlgorithms {
      throw Failure(
        .needsFile, "the digests of the bag were announced behind its bytes",
        hint: "give the bundle as a file")
    }
  }

  private func listed(_ read: BundledEpisode.Read) -> EpisodeResult {
    do throws(Failure) {
      let description = try read.episode.get().description
      var episode = Episode(
        id: description.proposedID, title: description.resolvedTitle,
        showTitle: description.resolvedShowTitle, added: clock.now,
        parts: description.parts.map { part in part.part { _ in nil } })
      description.apply(to: &episode)
      return EpisodeResult(episode, .planned)
    } catch {
      return EpisodeResult(read.id, .failed(error))
    }
  }

  private func verified(_ read: BundledEpisode.Read, _ contents: BundleContents) -> EpisodeResult {
    do throws(Failure) {
      let failure = contents.failure(of: try read.episode.get())
      return EpisodeResult(read.id, failure.map { .failed($0) } ?? .done)
    } catch {
      return EpisodeResult(read.id, .failed(error))
    }
  }

  /// Records that the bundle holds its episodes, for `vmx whereis`.
  private func recordCopy(_ source: BundleSource, _ contents: BundleContents) throws {
    guard let path = source.path, let type = contents.type, contents.failure == nil else { return }
    var episodes: [EpisodeID: String] = [:]
    for case .success(let bundled) in try contents.episodes().lazy.map(\.episode) {
      let known = try store.snapshot().find(bundled.identity)
      for id in known.isEmpty ? [bundled.description.proposedID] : known {
        episodes[id] = BundleCopy.short(bundled.video)
      }
    }
    try store.recordCopy(at: path, type: type, verified: clock.now, episodes)
  }
}
