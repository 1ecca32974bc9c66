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
///     let importer = BundleImporter(store: store, mediaRoots: roots, publish: publish, …)
///     try importer.take(reader) { result in … }
package struct BundleImporter: Sendable {
  /// What happens where the library has other bytes for the same episode.
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
    /// What happens where the library has other bytes.
    package var conflict = Conflict.both
    /// Whether the intact episodes of a damaged or invalid bundle are taken.
    package var takesIntact = false
    /// Whether nothing is changed.
    package var isDryRun = false

    /// Creates the usual choices.
    package init() {}
  }

  let store: LibraryStore
  private let mediaRoots: MediaRoots
  private let operations: Operations
  private let options: Options
  private let clock: any WallClock
  private let shouldStop: @Sendable () -> Bool

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

  /// What is done with a bundle.
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
      let contents = try read(source, .listing, progress)
      for record in contents.records ?? [] { try report(listed(record)) }
      return contents.files.count
    case .verify:
      let contents = try read(source, .verification, progress)
      for record in contents.records ?? [] { try report(verified(record, contents)) }
      try recordCopy(source, contents)
      return contents.files.count
    case .take, .repair: break
    }
    let root = try mediaRoots.forNewFiles()
    let place = try ImportStaging(store).place(below: root.folder)
    defer { place.claim.release() }
    if case .repair(let ids) = task {
      return try repair(ids, source, root, place, progress, report)
    }
    try store.prepareForMany()
    let purpose: BundleReading.Purpose =
      options.isDryRun ? .verification : .staging(place, wants: wants)
    let contents = try read(source, purpose, progress)
    defer { remove(contents) }
    for record in contents.records ?? [] {
      if shouldStop() { throw WorkEnded.interrupted }
      try report(result(of: record, contents, root))
    }
    if !options.isDryRun { try recordCopy(source, contents) }
    return contents.files.count
  }

  /// Reads a bundle; a bag whose manifests come late, with algorithms that are rare, is read twice.
  private func read(
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

  private func listed(_ record: JSONObject) -> EpisodeResult {
    do throws(Failure) {
      let description = try BundledEpisode(record).description
      var episode = Episode(
        id: description.proposedID, title: description.resolvedTitle,
        showTitle: description.resolvedShowTitle, added: clock.now,
        parts: description.parts.map { part in part.part { _ in nil } })
      description.apply(to: &episode)
      return EpisodeResult(episode, .planned)
    } catch {
      return EpisodeResult(BundledEpisode.id(of: record), .failed(error))
    }
  }

  private func verified(_ record: JSONObject, _ contents: BundleContents) -> EpisodeResult {
    do throws(Failure) {
      let bundled = try BundledEpisode(record)
      let failure = contents.failure(of: bundled)
      return EpisodeResult(
        bundled.description.proposedID, failure.map { .failed($0) } ?? .done)
    } catch {
      return EpisodeResult(BundledEpisode.id(of: record), .failed(error))
    }
  }

  /// Records that the bundle holds its episodes, for `vmx whereis`.
  private func recordCopy(_ source: BundleSource, _ contents: BundleContents) throws {
    guard let path = source.path, let type = contents.type, contents.failure == nil else { return }
    var episodes: [EpisodeID: String] = [:]
    for record in contents.records ?? [] {
      guard let bundled = try? BundledEpisode(record) else { continue }
      let video = bundled.files.first { $0.part == PartRole.video.rawValue }
      let known = try store.snapshot().find(bundled.identity)
      for id in known.isEmpty ? [bundled.description.proposedID] : known {
        episodes[id] = BundleCopy.short(video?.sha256)
      }
    }
    try store.recordCopy(at: path, type: type, verified: clock.now, episodes)
  }

  /// Mends files with those of the bundle that have the same digest.
  private func repair(
    _ ids: [EpisodeID], _ source: BundleSource, _ root: MediaRoot, _ place: ImportStaging.Place,
    _ progress: @escaping (Int) -> Void, _ report: (EpisodeResult) throws -> Void
  ) throws -> Int {
    let snapshot = try store.snapshot()
    let episodes = try ids.compactMap { try snapshot.episode($0) }
    let wanted = Set(episodes.flatMap(\.mendable).compactMap(\.sha256))
    let contents = try read(
      source,
      .staging(place) { path, record in
        guard let record, let bundled = try? BundledEpisode(record) else { return true }
        let file = bundled.files.first { $0.path == path }
        return file?.sha256.map { wanted.contains($0) } ?? false
      }, progress)
    defer { remove(contents) }
    for episode in episodes { try report(mended(episode, contents)) }
    return contents.files.count
  }

  private func mended(_ episode: Episode, _ contents: BundleContents) -> EpisodeResult {
    let parts = episode.mendable
    guard !parts.isEmpty else { return EpisodeResult(episode, .unchanged()) }
    do {
      var last: (episode: Episode, unsaved: Failure?)?
      for part in parts {
        guard let digest = part.sha256, let uuid = part.root,
          let file = contents.staged(part.name, digest)
        else {
          throw Failure(
            .noFile, "the bundle has no file with the bytes of '\(part.name)' of '\(episode.id)'",
            hint: "'vmx fetch --repair \(episode.id)' asks its sources")
        }
        last = try operations.publish([file], episode.id, mediaRoots.root(uuid))
      }
      return EpisodeResult(last?.episode ?? episode, .done)
    } catch {
      return EpisodeResult(episode, OperationResult(Failure(error)))
    }
  }

  /// Removes the copies that no part has taken.
  private func remove(_ contents: BundleContents) {
    for file in contents.files.values {
      // A copy that stays is removed by the next import, since its claim is free then.
      if let copy = file.staged { try? RegularFile.remove(copy) }
    }
  }

  /// Whether a file is worth a copy: the library lacks it.
  private func wants(_ path: String, _ record: JSONObject?) throws -> Bool {
    guard let record else { return true }
    let bundled: BundledEpisode
    do throws(Failure) {
      bundled = try BundledEpisode(record)
    } catch {
      return false
    }
    guard let file = bundled.files.first(where: { $0.path == path }) else { return false }
    let matches = Set(try store.snapshot().find(bundled.identity))
    return try !matches.contains { id in
      guard let episode = try store.snapshot().episode(id) else { return false }
      return episode.want == .gone
        || episode.parts.contains {
          $0.name == file.part && $0.state == .ready && $0.sha256 == file.sha256
        }
    }
  }

  private func result(
    of record: JSONObject, _ contents: BundleContents, _ root: MediaRoot
  ) -> EpisodeResult {
    let id = BundledEpisode.id(of: record)
    do {
      let bundled = try BundledEpisode(record)
      if let failure = contents.failure(of: bundled) { return EpisodeResult(id, .failed(failure)) }
      return try take(bundled, contents, root)
    } catch {
      return EpisodeResult(id, OperationResult(Failure(error)))
    }
  }

  private func take(
    _ bundled: BundledEpisode, _ contents: BundleContents, _ root: MediaRoot
  ) throws -> EpisodeResult {
    var bundled = bundled
    let video = bundled.files.first { $0.part == PartRole.video.rawValue }
    var known = try match(&bundled)
    if let known, known.want == .gone {
      return EpisodeResult(known, .unchanged(.gone, hint: known.removedHint))
    }
    if let other = known, let digest = other.readyVideo, let video, digest != video.sha256 {
      switch options.conflict {
      case .keep: return EpisodeResult(other, .unchanged(.otherBytes))
      case .replace: if !options.isDryRun { try operations.remove(other.id) }
      // The keys belong to the episode of the library; the bytes identify the other one.
      case .both:
        bundled.identity = [video.sha256].compactMap { $0.map { .digest($0.hex) } }
        known = try match(&bundled)
      }
    }
    let missing = bundled.files.filter { file in
      known?.parts.contains {
        $0.name == file.part && $0.state == .ready && $0.sha256 == file.sha256
      }
        != true
    }
    if options.isDryRun {
      let id = known?.id ?? bundled.description.proposedID
      return EpisodeResult(id, missing.isEmpty ? .unchanged() : .planned, known)
    }
    return try record(bundled, missing, contents, root)
  }

  private func record(
    _ bundled: BundledEpisode, _ files: [BundledEpisode.File], _ contents: BundleContents,
    _ root: MediaRoot
  ) throws -> EpisodeResult {
    let importer = try EpisodeImporter(
      exported: bundled.description, identity: bundled.identity, secrets: store.secrets)
    try importer.prepare(in: store)
    let taken = try store.update(files.isEmpty ? .durable : .soon) { transaction in
      try importer.take(into: &transaction, now: clock.now)
    }
    let staged = files.compactMap { contents.staged($0) }
    guard !staged.isEmpty else {
      return EpisodeResult(taken.episode, OperationResult(isChanged: taken.verdict != .unchanged))
    }
    let (episode, unsaved) = try operations.publish(staged, taken.episode.id, root)
    let note = unsaved.map { "what belongs beside '\(episode.id)' is not written: \($0.summary)" }
    return EpisodeResult(episode.id, .done, episode, notes: [note].compactMap { $0 })
  }

  /// Returns the episode of the library that a bundled one is. The digest of the video decides
  /// between several; then only that identifies it.
  ///
  /// - Throws: `ambiguous`, the errors of the store.
  private func match(_ bundled: inout BundledEpisode) throws -> Episode? {
    let snapshot = try store.snapshot()
    let matches = try Set(snapshot.find(bundled.identity)).sorted().compactMap {
      try snapshot.episode($0)
    }
    guard matches.count > 1 else { return matches.first }
    let video = bundled.files.first { $0.part == PartRole.video.rawValue }?.sha256
    if let video, let same = matches.first(where: { $0.readyVideo == video }) {
      bundled.identity = [.digest(video.hex)]
      return same
    }
    throw Failure(
      .ambiguous,
      "'\(bundled.description.proposedID)' fits '\(matches[0].id)' and '\(matches[1].id)'")
  }
}

extension Episode {
  /// The parts whose files verify has found damaged or missing.
  fileprivate var mendable: [Part] {
    parts.filter { [.damaged, .missing].contains($0.resumeState ?? $0.state) }
  }

  fileprivate var readyVideo: Digest? {
    parts.first { $0.role == .video && $0.state == .ready }?.sha256
  }
}

extension BundleContents {
  /// The failure of an episode whose files are not all intact.
  fileprivate func failure(of bundled: BundledEpisode) -> Failure? {
    for file in bundled.files where !isIntact(file.path, file.sha256) {
      let failure = files[file.path] == nil ? self.failure : nil
      return failure
        ?? Failure(.bundleInvalid, "'\(file.path)' is not in the bundle as its record says")
    }
    return nil
  }

  fileprivate func staged(_ part: String, _ digest: Digest) -> BundleImporter.StagedPart? {
    let path = files.first { $0.value.sha256 == digest && $0.value.staged != nil }?.key
    return path.flatMap { staged(BundledEpisode.File(part: part, path: $0, sha256: digest)) }
  }

  fileprivate func staged(_ file: BundledEpisode.File) -> BundleImporter.StagedPart? {
    guard let found = files[file.path], let copy = found.staged, let sha256 = found.sha256 else {
      return nil
    }
    return BundleImporter.StagedPart(
      file: copy, part: file.part,
      found: FoundBytes(
        size: ByteCount(clamping: found.size), sha256: sha256, proof: .length,
        segments: found.segments))
  }
}
