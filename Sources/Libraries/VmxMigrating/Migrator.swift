import Synchronization
package import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxStore
import VmxSystem

// Source files are never modified. The migrator first links or copies a file to the staging
// directory, and digests and checks the copy there. Then it claims the id and renames the copies to
// the partial files of the parts. It records the episode with these parts as `complete`, and
// publishes the files as a fetch does. So a crash leaves staged copies that the next run removes,
// or an episode that the next fetch or run publishes. A source is removed last, after the record of
// its published file is durable, and only if it has not changed since it was read.

/// Migrates the findings of readers into the library.
///
/// ```swift
/// let migrator = Migrator(tools, by: .copy, operations: operations)
/// try migrator.migrate(findings, of: .tree) { step, result in … }
/// ```
package struct Migrator: Sendable {
  /// The method by which a file is added to the library.
  package enum Method: String, Sendable, CaseIterable {
    /// Shares blocks (reflink), or else creates a hard link, or else copies the file.
    case link
    /// Copies the file, and shares blocks if the file system supports it.
    case copy
    /// Behaves like `link`, and removes the source after the library's file is durable.
    case move
    /// Makes the folder a root, and leaves its files where they are.
    case inPlace = "in-place"
  }

  /// The operations of other targets.
  package struct Operations: Sendable {
    /// Publishes staged files as parts of a recorded episode.
    let publish: FilePublication
    /// Writes the sidecar of an episode with in-place files.
    let writeSidecar: @Sendable (Episode, [String: FoundBytes]) -> Failure?
    /// Adds what the NFO files of an episode and of its show say beyond the record to those of the
    /// library; nil if no NFO files are written.
    package var takeOverNFO:
      (@Sendable (_ file: FilePath?, _ show: FilePath?, EpisodeID) throws -> Failure?)?

    /// Creates the operations, without those for NFO files.
    package init(
      publish: @escaping FilePublication,
      writeSidecar: @escaping @Sendable (Episode, [String: FoundBytes]) -> Failure?
    ) {
      self.publish = publish
      self.writeSidecar = writeSidecar
    }
  }

  /// Receives each file or record with its result.
  package typealias Report = (MigrationStep, OperationResult) throws -> Void

  private static let threads = 8

  let tools: LibraryTools
  let method: Method
  let operations: Operations
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var run: Operation { tools.run }
  var clock: any WallClock { tools.clock }
  var shouldStop: @Sendable () -> Bool { tools.shouldStop }

  /// Creates a migrator.
  ///
  /// - Parameter tools: with `inPlace`, their root for new files is the migrated folder. If they
  ///   stop the run, the migration throws `WorkEnded.interrupted`, and files that were already
  ///   reported are in the library.
  package init(_ tools: LibraryTools, by method: Method, operations: Operations) {
    self.tools = tools
    self.method = method
    self.operations = operations
  }

  /// Migrates the findings on several threads, and records and reports them in their order. Those
  /// that have only a name without number and date are last, since equal bytes may join them to a
  /// better described episode. A failed finding does not stop the others.
  ///
  /// - Parameter report: called when the result is durable.
  /// - Throws: errors of the store and of `report`, `WorkEnded.interrupted`.
  package func migrate(_ findings: [LegacyFinding], of kind: LegacyKind, report: Report) throws {
    let root = try mediaRoots.forNewFiles()
    let location = try ImportStaging(store).location(in: root)
    defer { location.release() }
    try store.prepareForMany()
    let staging = Staging(location: location, root: root, claims: EpisodeClaims(store))
    let uses = SourceUses(findings)
    let findings =
      findings.filter { !$0.isWeaklyIdentified } + findings.filter(\.isWeaklyIdentified)
    let turns = RecordingTurns(findings)
    var changed: Set<FilePath> = []
    // If a power failure undoes the removal of a source, the next run removes it again.
    defer { for folder in changed { try? syncFolder(folder) } }
    try WorkerThread.forEachInOrder(
      findings.count, threads: Self.threads, named: "vmx-migrate"
    ) {
      // The threads need no state of their own.
    } make: { [self] number, _ in
      let turn = turns.slot(number)
      defer { turn.end() }
      turn.begin()
      return result(of: findings[number], from: kind, staging: staging, in: turn)
    } take: { result in
      var result = result
      if method == .move { changed.formUnion(removeSources(of: &result, uses)) }
      for row in result.rows { try report(row.step, row.result) }
      return !shouldStop()
    }
    if shouldStop() { throw WorkEnded.interrupted }
  }

  private func result(
    of finding: LegacyFinding, from kind: LegacyKind, staging: Staging,
    in turn: RecordingTurns.Slot
  ) -> MigrationResult {
    guard case .episode(let episode) = finding else {
      return MigrationResult([finding.row(of: kind)].compactMap { $0 })
    }
    guard !shouldStop() else { return MigrationResult([]) }
    var migration = EpisodeMigration(episode, migrator: self, staging: staging, slot: turn)
    return MigrationResult(migration.rows())
  }

  /// Rejects a file whose name is not UTF-8 if the library would record its path: as that of an
  /// in-place file, or as that to which an undo returns a moved one.
  ///
  /// - Throws: `source-unsupported`.
  func checkName(of file: LegacyFile) throws(Failure) {
    guard file.contents == nil, method == .inPlace || method == .move,
      String(validating: file.path.bytes, as: UTF8.self) == nil
    else { return }
    throw Failure(
      .sourceUnsupported, "the name of '\(file.path)' is not UTF-8",
      hint: "rename it, or migrate by --link or --copy")
  }

  /// Removes the sources whose bytes are durable in the library, unless they have changed since
  /// they were read. If one file of an episode fails, all of its sources are kept: without the
  /// video the next run could not assign a subtitle.
  ///
  /// - Returns: the folders of the removed files.
  private func removeSources(
    of result: inout MigrationResult, _ uses: SourceUses
  ) -> Set<FilePath> {
    var folders: Set<FilePath> = []
    guard result.rows.allSatisfy({ $0.result.failure == nil }) else { return folders }
    for index in result.rows.indices {
      guard let source = result.rows[index].removable, uses.isLast(source.path) else { continue }
      do {
        guard let facts = try FileFacts.of(source.path), facts.isSameContent(as: source.facts)
        else { continue }
        try removeFile(source.path)
        folders.insert(source.path.folder)
      } catch {
        result.rows[index].result = .failed(Failure(error))
      }
    }
    return folders
  }
}

/// The staging location of copies, and the claims of the episodes that receive them.
struct Staging: Sendable {
  let location: ImportStaging.Location
  let root: MediaRoot
  let claims: EpisodeClaims
  private let shared = Shared()

  private final class Shared: Sendable {
    let count = Atomic<Int>(0)
    /// The file systems whose files cannot share blocks with the library.
    let unclonable = Mutex<Set<UInt64>>([])
  }

  init(location: ImportStaging.Location, root: MediaRoot, claims: EpisodeClaims) {
    self.location = location
    self.root = root
    self.claims = claims
  }

  /// Returns an unused path for a copy.
  func path() -> FilePath { location.file(shared.count.add(1, ordering: .relaxed).newValue) }

  /// Whether files of a device may share blocks with copies; true until an attempt has failed.
  func canClone(from device: UInt64) -> Bool {
    shared.unclonable.withLock { !$0.contains(device) }
  }

  func cannotClone(from device: UInt64) {
    shared.unclonable.withLock { _ = $0.insert(device) }
  }
}

/// The results of the files of a finding.
struct MigrationResult: Sendable {
  struct Row: Sendable {
    var step: MigrationStep
    var result: OperationResult
    /// The source that a durable file of the library replaces.
    var removable: (path: FilePath, facts: FileFacts)?

    init(_ step: MigrationStep, _ result: OperationResult) {
      self.step = step
      self.result = result
    }
  }

  var rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows
  }
}

extension LegacyFinding {
  /// Whether it is an episode that only a name without number and date identifies.
  fileprivate var isWeaklyIdentified: Bool {
    guard case .episode(let episode) = self else { return false }
    return episode.doubts.contains(.nameOnly) && episode.description.number == nil
      && episode.description.date == nil
  }

  /// Returns the row of a file or record that is not migrated; nil for an episode and for a list of
  /// subscriptions.
  func row(of kind: LegacyKind) -> MigrationResult.Row? {
    switch self {
    case .episode, .subscriptions: return nil
    case .skipped(let path, let size, let doubt):
      var step = MigrationStep(kind, path: path.string)
      step.size = size
      step.doubts = [doubt]
      return MigrationResult.Row(step, .unchanged(doubt.reason))
    case .left(let file, let doubt, let page):
      var step = MigrationStep(kind, path: file.path.string)
      step.size = file.size
      step.doubts = [doubt]
      let command = page.map { "run yt-dlp \(ShellWord.quoted($0))" } ?? "run yt-dlp again"
      return MigrationResult.Row(
        step,
        .unchanged(
          doubt.reason, hint: "\(command) in the folder of the file, then migrate it again"))
    case .excluded(let folder):
      var step = MigrationStep(kind, path: folder.path.string)
      step.size = folder.size
      step.doubts = [.noPart]
      let files = folder.count == 1 ? "1 file" : "\(folder.count) files"
      step.notes = ["\(files) in '\(folder.path)' left out; name the folder to read it"]
      return MigrationResult.Row(step, .unchanged(MigrationDoubt.noPart.reason))
    case .refused(let record, let failure):
      return MigrationResult.Row(MigrationStep(kind, path: record), .failed(failure))
    }
  }
}

/// Counts the episodes that still need a source file, since one file may belong to several
/// episodes.
final class SourceUses: Sendable {
  private let remaining: Mutex<[FilePath: Int]>

  init(_ findings: [LegacyFinding]) {
    var counts: [FilePath: Int] = [:]
    for case .episode(let episode) in findings {
      for file in episode.files where file.contents == nil { counts[file.path, default: 0] += 1 }
    }
    remaining = Mutex(counts.filter { $0.value > 1 })
  }

  /// Decrements the count of a source, and returns whether no other episode still needs it.
  func isLast(_ path: FilePath) -> Bool {
    remaining.withLock { left in
      guard let count = left[path] else { return true }
      left[path] = count - 1
      return count == 1
    }
  }
}
