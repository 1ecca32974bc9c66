import SystemPackage
import VmxDigest
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// An import is a request, like `vmx add`: each episode gets the want `fetch`, and episodes that the
// user removed remain removed. The whole bag is verified before the first record is written. Then,
// for each new episode, the importer claims its id and renames its files to the partial files of
// its parts. It records the episode with these parts as `complete`, and publishes the files as a
// fetch does. So no record ever names bytes that are not on the disk. A crash leaves
//
// - staged copies without an episode, which the next import or `vmx clean` removes;
// - partial files of an id without a record, which the next import of the bundle replaces and
//   `vmx clean` removes;
// - episodes with complete parts, at most `PublicationBatch.maxCount`, which the next `vmx fetch`
//   or import publishes without a source.
//
// An episode that is already in the library is updated first, and receives its files under its
// claim. A crash between the two leaves it without them, as before.

/// Imports the episodes of a bundle into the library.
///
///     let importer = BundleImporter(tools, operations: operations, options: options)
///     try importer.run(source, .importEpisodes) { result in … }
package struct BundleImporter: Sendable {
  /// The policy if the library has other bytes for the same episode.
  package enum Conflict: String, Sendable, CaseIterable {
    /// Both are kept: that of the bundle becomes another episode.
    case both
    /// That of the library is kept, and the bundled episode is skipped.
    case keep
    /// That of the bundle replaces it; the user can undo this.
    case replace
  }

  /// The operations of other targets.
  package struct Operations: Sendable {
    /// Publishes files as parts of a recorded episode, under the caller's claim if it holds one.
    let publish: FilePublication
    /// Moves the files of an episode into the trash, and deletes its record. The digest is that of
    /// the replacement video, which an undo of this removal removes.
    let remove: @Sendable (EpisodeID, Digest?) throws -> Void

    /// Creates the operations.
    package init(
      publish: @escaping FilePublication,
      remove: @escaping @Sendable (EpisodeID, Digest?) throws -> Void
    ) {
      self.publish = publish
      self.remove = remove
    }
  }

  /// The options of an import.
  package struct Options: Sendable {
    /// The policy if the library has other bytes for the same episode.
    package var conflict = Conflict.both
    /// Whether the intact episodes of a damaged or invalid bundle are imported.
    package var importsIntact = false

    /// Creates the default options.
    package init() {}
  }

  let tools: LibraryTools
  let operations: Operations
  let options: Options
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var clock: any WallClock { tools.clock }
  var shouldStop: @Sendable () -> Bool { tools.shouldStop }

  /// Creates an importer.
  ///
  /// - Parameter tools: if they stop the run, the import throws `WorkEnded.interrupted`. Episodes
  ///   that were already reported are in the library.
  package init(_ tools: LibraryTools, operations: Operations, options: Options) {
    self.tools = tools
    self.operations = operations
    self.options = options
  }

  /// The task to perform with a bundle.
  package enum Task: Sendable {
    /// Imports its episodes into the library.
    case importEpisodes
    /// Lists its episodes.
    case list
    /// Verifies its bytes.
    case verify
    /// Repairs damaged and missing files of these episodes with its files.
    case repair([EpisodeID])
  }

  /// Reads a bundle, and performs a task with it.
  ///
  /// - Parameters:
  ///   - progress: called after each read with the number of bytes read by it.
  ///   - note: called with each message about records that were skipped, about new favourites, and
  ///     about faults of an invalid bag when it is only verified.
  ///   - report: called with the result of each episode once it is durable.
  /// - Returns: the number of payload files, all verified unless the bundle was only listed.
  /// - Throws: as `BundleReading.read`, the errors of the store and of `report`.
  @discardableResult
  package func run(
    _ source: BundleSource, _ task: Task, progress: @escaping (Int) -> Void = { _ in },
    note: @escaping (String) -> Void = { _ in }, report: (EpisodeResult) throws -> Void
  ) throws -> Int {
    switch task {
    case .list: try list(source, progress: progress, note: note, report: report)
    case .verify: try verify(source, progress: progress, note: note, report: report)
    case .repair(let ids): try repair(ids, from: source, progress: progress, report: report)
    case .importEpisodes where store.isDryRun:
      try plan(source, progress: progress, note: note, report: report)
    case .importEpisodes:
      try importEpisodes(of: source, progress: progress, note: note, report: report)
    }
  }

  private typealias Report = (EpisodeResult) throws -> Void

  private func contents(
    of source: BundleSource, for purpose: BundleReading.Purpose,
    progress: @escaping (Int) -> Void, note: @escaping (String) -> Void
  ) throws -> BundleContents {
    let contents = try read(source, for: purpose, progress: progress, note: note)
    for (kind, count) in (contents.records?.skippedLines ?? [:]).sorted(by: { $0.key < $1.key }) {
      note("records of the kind '\(kind)' are not imported: the bundle has \(count)")
    }
    return contents
  }

  private func list(
    _ source: BundleSource, progress: @escaping (Int) -> Void,
    note: @escaping (String) -> Void, report: Report
  ) throws -> Int {
    var contents = try contents(of: source, for: .listing, progress: progress, note: note)
    if contents.records == nil {
      guard source.isRepeatable else {
        throw Failure(.needsFile, "the bundle has no records before its files")
      }
      contents = try self.contents(of: source, for: .verification, progress: progress, note: note)
    }
    for episode in contents.episodes() { try report(listed(episode)) }
    return contents.count
  }

  private func verify(
    _ source: BundleSource, progress: @escaping (Int) -> Void,
    note: @escaping (String) -> Void, report: Report
  ) throws -> Int {
    let contents = try contents(of: source, for: .verification, progress: progress, note: note)
    var isEmpty = true
    for episode in contents.episodes() {
      isEmpty = false
      try report(verified(episode, contents))
    }
    if isEmpty, contents.verdict != nil, contents.failure == nil {
      note("the bag is valid; it has no episodes")
    }
    do {
      try recordCopy(source, contents)
    } catch  where !error.isInterruption {
      let failure = Failure(error)
      throw Failure(
        failure.code,
        "the bundle was verified, but 'vmx whereis' will not list it: \(failure.summary)",
        hint: failure.hint, retryAt: failure.retryAt)
    }
    return contents.count
  }

  /// Reports what an import would do.
  private func plan(
    _ source: BundleSource, progress: @escaping (Int) -> Void,
    note: @escaping (String) -> Void, report: Report
  ) throws -> Int {
    let contents = try contents(of: source, for: .verification, progress: progress, note: note)
    var surplus = SurplusFiles()
    for episode in contents.episodes() where !shouldStop() {
      surplus.add(episode)
      if case .ended(let result) = step(of: episode, contents, after: nil) { try report(result) }
    }
    if shouldStop() { throw WorkEnded.interrupted }
    surplus.note.map(note)
    return contents.count
  }

  private func importEpisodes(
    of source: BundleSource, progress: @escaping (Int) -> Void,
    note: @escaping (String) -> Void, report: Report
  ) throws -> Int {
    let root = try mediaRoots.forNewFiles(replacesDead: true)
    let location = try ImportStaging(store).location(in: root)
    defer { location.release() }
    try store.prepareForMany()
    let contents = try contents(
      of: source, for: .staging(location, wants: needsFile), progress: progress, note: note)
    var batch = PublicationBatch(in: root, operations)
    var surplus = SurplusFiles()
    for episode in contents.episodes() where !shouldStop() {
      surplus.add(episode)
      if batch.isFull { try batch.publish(report) }
      var step = step(of: episode, contents, after: batch)
      if step == nil {
        try batch.publish(report)
        step = self.step(of: episode, contents, after: batch)
      }
      let busy = Failure.inUse(episode.id)
      batch.append(step ?? .ended(EpisodeResult(episode.id, OperationResult(busy))))
    }
    try batch.publish(report)
    if shouldStop() { throw WorkEnded.interrupted }
    surplus.note.map(note)
    try importShows(of: contents, note)
    try recordCopy(source, contents)
    return contents.count
  }

  /// Imports the shows of the bundle's episodes. Fields that the library already has are not
  /// changed.
  private func importShows(of contents: BundleContents, _ note: (String) -> Void) throws {
    let shows = contents.records?.shows ?? contents.documents.shows
    let origin: FieldOrigin = contents.records == nil ? .nfo : .program
    if shows.isEmpty { return }
    let slugs = Set(contents.episodes().map(\.id.show))
    var changed: Set<String> = []
    let added = try store.update(.durable) { transaction in
      var added: [String] = []
      for var each in shows where slugs.contains(each.show.slug) {
        // The slug may be that of another show here.
        if let title = each.show.title {
          each.show.slug = try ShowOwners(transaction).slug(
            ofShow: title, slug: each.show.slug)
        }
        let tied = try transaction.record(.show, each.show.slug).map {
          try LibraryShow($0.fields, slug: each.show.slug).tvmaze
        }
        // A slug that is tied to another show in this library is not changed.
        if let tied, let tied, let other = each.show.tvmaze, tied != other { continue }
        if each.kind == .favourite {
          if try transaction.addFavourite(each.show, now: transaction.now).isChanged {
            added.append(each.show.slug)
          }
        } else {
          var show = each.show
          if !transaction.allowsRatingChanges { show.ageRating = nil }
          try transaction.describe(show, from: origin, isCompletion: true)
          changed.insert(show.slug)
        }
      }
      return added
    }
    for slug in changed.union(added).sorted() { ShowSidecar.refresh(slug, on: mediaRoots) }
    for slug in added { note("'\(slug)' is a favourite now, as in the bundle") }
  }

  /// Reads a bundle. A bag whose manifests follow the payload and use algorithms other than SHA-256
  /// is read twice, unless staged copies of its files can be digested.
  func read(
    _ source: BundleSource, for purpose: BundleReading.Purpose, progress: @escaping (Int) -> Void,
    note: @escaping (String) -> Void = { _ in }
  ) throws -> BundleContents {
    var hasRecords = false
    func read(_ algorithms: Set<ManifestAlgorithm>) throws -> BundleContents {
      try source.read { reader in
        var reading = BundleReading(
          for: purpose, scratch: scratch, importsIntact: options.importsIntact,
          progress: progress, note: note, shouldStop: shouldStop)
        reading.algorithms.formUnion(algorithms)
        defer { hasRecords = reading.hasRecords }
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
        .needsFile, "the manifests of the bag follow its files",
        hint: "give the bundle as a file")
    } catch let error as any CodedError where Self.faults.contains(error.code) {
      if let path = source.path, !store.isDryRun {
        do {
          try store.recordFailedVerification(of: path)
        } catch let other {
          note("'vmx whereis' still lists the bundle as intact: \(Failure(other).summary)")
        }
      }
      let isVerification = if case .verification = purpose { true } else { false }
      throw failure(
        error, of: source, isVerification: isVerification && !store.isDryRun,
        hasRecords: hasRecords)
    }
  }

  /// The codes of bundles that are not, or no longer, copies of episodes.
  private static let faults: Set<ErrorCode> = [
    .notABundle, .bundleDamaged, .bundleInvalid, .entryRefused,
  ]

  /// The folder of the library, or its nearest existing ancestor, since listing a bundle creates no
  /// folder.
  private var scratch: FilePath { nearestFolder(store.home.folder) }

  private func listed(_ read: BundledEpisode.Read) -> EpisodeResult {
    do throws(Failure) {
      let episode = try read.episode.get().description.proposal(now: clock.now)
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

  /// Records which intact episodes the bundle holds, for `vmx whereis`.
  private func recordCopy(_ source: BundleSource, _ contents: BundleContents) throws {
    guard let path = source.path, let type = contents.type else { return }
    var episodes: [EpisodeID: BundleCopy.Video] = [:]
    for case .success(let bundled) in contents.episodes().lazy.map(\.episode)
    where contents.failure(of: bundled) == nil {
      let file = bundled.files.first { $0.role == .video }
      // No import accepts the episode, so its file is no copy.
      if let file, contents.kindFailure(of: file) != nil { continue }
      let match = try EpisodeMatch(
        of: bundled.description, bundled.identity, in: store.snapshot())
      let known = match.episodes.map(\.id)
      for id in known.isEmpty ? [bundled.description.proposedID] : known {
        episodes[id] = BundleCopy.Video(file?.sha256, path: file?.path)
      }
    }
    try store.recordCopy(at: path, type: type, verified: clock.now, episodes)
  }
}
