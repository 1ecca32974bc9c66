package import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// A record is rebuilt from the sidecar next to its media. Data that sidecars lack come from
// `store.jsonl.1`: wants, episodes without files, aliases, feeds, favourites. The bytes decide: a
// file whose digest differs from that in its sidecar is damaged, and one that does not exist is
// missing. The records of an unreachable root are kept as they are, since unreachable files are not
// missing.

/// Rebuilds the store of a library from the sidecars in its roots and the readable records of old
/// stores.
///
/// ```swift
/// let rebuild = try LibraryRebuild(
///   of: home, in: [], options: options, clock: clock, digest: tools.digest,
///   shouldStop: tools.shouldStop)
/// let kept = try rebuild.perform(isPlan: false) { step, result in … }
/// ```
package struct LibraryRebuild: Sendable {
  private static let threads = 4

  private let home: LibraryHome
  private let rootFolders: [FilePath]
  private let clock: any WallClock
  private let replacement: StoreReplacement
  private let digest: @Sendable (FilePath) throws -> Digest
  private let shouldStop: @Sendable () -> Bool

  /// Prepares the rebuild of a library's store, and changes nothing.
  ///
  /// - Parameters:
  ///   - folders: folders that may be roots, in addition to the default root and those of old
  ///     records.
  ///   - digest: reads a whole file and returns its SHA-256.
  ///   - shouldStop: once it returns true, the rebuild throws `WorkEnded.interrupted` and does not
  ///     change the present store.
  /// - Throws: as `StoreReplacement`.
  package init(
    of home: LibraryHome, in folders: [FilePath], options: StoreOptions, clock: any WallClock,
    digest: @escaping @Sendable (FilePath) throws -> Digest,
    shouldStop: @escaping @Sendable () -> Bool
  ) throws {
    self.home = home
    self.rootFolders = folders
    self.clock = clock
    self.digest = digest
    self.shouldStop = shouldStop
    replacement = try StoreReplacement(of: home, options: options, clock: clock)
  }

  /// The data that the rebuild loses, as sentences for the user.
  package var losses: [String] {
    guard let base else {
      return [
        "there is no 'store.jsonl.1': wants, episodes without files, aliases, feeds and favourites "
          + "without files are lost"
      ]
    }
    guard base !== replacement.oldSnapshots.first || replacement.oldSnapshots.count == 1 else {
      return []
    }
    return ["what was changed after 'store.jsonl.1' was written and has no file is lost"]
  }

  /// The old store from which records without files are copied.
  var base: StoreSnapshot? {
    replacement.oldSnapshots.first(where: \.hasEpisodes) ?? replacement.oldSnapshots.first
  }

  /// Verifies the files of all sidecars, and replaces the store.
  ///
  /// - Parameters:
  ///   - isPlan: whether only to report the records, and to write nothing.
  ///   - report: called with the sidecar or record of each episode.
  /// - Returns: the names under which the old files are kept.
  /// - Throws: `store-lost` if there is neither a root nor an old store, errors of the store, the
  ///   file system and `report`, `WorkEnded.interrupted`.
  package func perform(isPlan: Bool, report: Migrator.Report) throws -> [FilePath] {
    let (library, roots) = try roots(report)
    let draft = isPlan ? nil : try replacement.draft(library: library)
    let writer = RebuildWriter(draft)
    for root in roots { try writer.append(root.record) }
    // Progress records of earlier fetches are obsolete. A root that was found already has a new
    // record.
    try base?.otherRecords { record in
      let isFound = record.kind == .root && roots.contains { $0.root.uuid == record.id }
      if !isFound, record.kind != .progress { try writer.append(record) }
    }
    // Before the episodes, which get the titles of their shows.
    let shows = try rebuildShows(in: roots.map(\.root), with: writer, report: report)
    var known: Set<UInt64> = []
    for root in roots {
      try rebuild(root.root, known: &known, with: writer, report: report)
    }
    if let base {
      try copyOthers(
        of: base, known: &known, roots: roots.map(\.root), with: writer, report: report)
    }
    for root in roots {
      try addUnfinished(in: root.root, known: &known, with: writer, report: report)
    }
    try writer.restoreOwners(of: shows)
    guard let draft else { return [] }
    return try replacement.commit(draft)
  }

  private struct FoundRoot {
    let root: MediaRoot
    let record: StoredRecord
  }

  /// Returns the library's UUID and its roots; a folder of another library is reported.
  private func roots(_ report: Migrator.Report) throws -> (library: String, roots: [FoundRoot]) {
    var folders = [home.defaultRoot] + rootFolders
    base?.records(of: .root) { record in
      if let path = record.path { folders.append(FilePath(path)) }
      return true
    }
    var library = replacement.library
    var found: [FoundRoot] = []
    for folder in folders where !found.contains(where: { $0.root.folder == folder }) {
      guard let mark = try RootMark(at: folder.appending(LibraryLayout.mark)) else { continue }
      if library == nil { library = mark.library }
      guard mark.library == library else {
        let failure = Failure(.rootForeign, "the folder belongs to another library: '\(folder)'")
        try report(MigrationStep(.vmx, path: folder.string), .failed(failure))
        continue
      }
      guard !found.contains(where: { $0.root.uuid == mark.root }) else { continue }
      var fields = JSONObject()
      fields.append("path", folder.string)
      if folder == home.defaultRoot { fields.append(LibraryHome.defaultRootField, true) }
      found.append(
        FoundRoot(
          root: MediaRoot(uuid: mark.root, folder: folder),
          record: StoredRecord(kind: .root, id: mark.root, fields: fields)))
    }
    guard let library else {
      throw Failure(
        .storeLost, "there is no root of a library, and no old store",
        hint: "name the folders of media: 'vmx migrate --rebuild FOLDER'")
    }
    return (library, found)
  }

  private func rebuild(
    _ root: MediaRoot, known: inout Set<UInt64>, with writer: RebuildWriter,
    report: Migrator.Report
  ) throws {
    let ids = try sidecars(in: root).filter { !known.contains(StableHash.of($0.description)) }
    let base = base
    try WorkerThread.forEachInOrder(ids.count, threads: Self.threads, named: "vmx-rebuild") {
      // The threads need no state of their own.
    } make: { [self] number, _ in
      RebuiltEpisode(ids[number], in: root, base: base, now: clock.now, digest: digest)
    } take: { rebuilt in
      guard !shouldStop() else { throw WorkEnded.interrupted }
      if let episode = rebuilt.episode {
        known.insert(StableHash.of(episode.id.description))
        try writer.append(episode)
      }
      if let (step, result) = rebuilt.row { try report(step, result) }
      return true
    }
  }

  private func sidecars(in root: MediaRoot) throws -> [EpisodeID] {
    let path = root.folder.appending(LibraryLayout.Folder.records.path)
    guard try FileFacts.of(path) != nil else { return [] }
    var ids: [EpisodeID] = []
    let folder = try OpenFolder(path)
    while let entry = try folder.next() {
      if let id = LibraryLayout.episode(ofSidecar: PathBytes(entry.name)) { ids.append(id) }
    }
    return ids.sorted()
  }

  /// Copies the episodes of an old store that no sidecar describes.
  private func copyOthers(
    of base: StoreSnapshot, known: inout Set<UInt64>, roots: [MediaRoot],
    with writer: RebuildWriter,
    report: Migrator.Report
  ) throws {
    var ids: [EpisodeID] = []
    base.summaries(EpisodeFields([])) { summary in
      if !known.contains(StableHash.of(summary.id.description)) { ids.append(summary.id) }
      return true
    }
    for id in ids {
      guard !shouldStop() else { throw WorkEnded.interrupted }
      guard var episode = try base.episode(id) else { continue }
      let lost = try RebuiltEpisode.check(
        &episode, in: roots, now: clock.now, digest: digest)
      try writer.append(episode)
      known.insert(StableHash.of(id.description))
      var step = MigrationStep(.vmx, path: home.snapshot.string)
      step.episode = id
      step.evidence = ["store"]
      if lost { step.doubts = [.fileGone] }
      try report(step, .done)
    }
  }
}

extension LibraryRebuild {
  /// Records the episodes of partial files that neither a sidecar nor the old store describes.
  private func addUnfinished(
    in root: MediaRoot, known: inout Set<UInt64>, with writer: RebuildWriter,
    report: Migrator.Report
  ) throws {
    let path = root.folder.appending(LibraryLayout.Folder.partial.path)
    guard try FileFacts.of(path) != nil else { return }
    var names: [[UInt8]] = []
    let folder = try OpenFolder(path)
    while let entry = try folder.next() {
      if entry.kind == .file, LibraryLayout.isResumeData(entry.name) {
        names.append(entry.name)
      }
    }
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let file = path.appending(entry: name)
      guard let part = try UnfinishedPart(at: file, now: clock.now),
        known.insert(StableHash.of(part.episode.id.description)).inserted
      else { continue }
      try writer.append(part.episode)
      var step = MigrationStep(.vmx, path: file.string)
      step.episode = part.episode.id
      step.part = PartRole.video.rawValue
      if part.lacksSource { step.doubts = [.noSource] }
      try report(step, .done)
    }
  }
}
