package import SystemPackage
package import VmxLibrary
package import VmxModel
package import VmxStore
import Synchronization
import VmxSystem

// Sources are only read. A file is linked or copied beside the library first, and digested and
// walked there; then the episode is recorded, and its files are published as those of a fetch. So
// a crash leaves copies that the next run removes, or an episode whose files the next run takes.
// A source is removed last, after the record of its published file is durable, and only if it is
// still the file that was read.

/// Takes the findings of readers into the library.
///
/// ```swift
/// let migrator = Migrator(store: store, mediaRoots: roots, by: .copy, …)
/// try migrator.take(findings) { step, result in … }
/// ```
package struct Migrator: Sendable {
  /// How a file gets into the library.
  package enum Method: String, Sendable, CaseIterable {
    /// By shared blocks (reflink), else by a second name, else by a copy.
    case link
    /// By a copy, with shared blocks where the file system has them.
    case copy
    /// As `link`; the source is removed after the file of the library is durable.
    case move
    /// The folder becomes a root, and its files stay where they are.
    case inPlace = "in-place"
  }

  /// The operations of other targets.
  package struct Operations: Sendable {
    /// Publishes staged files as parts of a recorded episode.
    let publish:
      @Sendable ([StagedFile], EpisodeID, MediaRoot) throws -> (episode: Episode, unsaved: Failure?)
    /// Writes the sidecar of an episode whose files stay where they are.
    let remember: @Sendable (Episode, [String: FoundBytes]) -> Failure?

    /// Creates the operations.
    package init(
      publish:
        @escaping @Sendable ([StagedFile], EpisodeID, MediaRoot) throws -> (
          episode: Episode, unsaved: Failure?
        ),
      remember: @escaping @Sendable (Episode, [String: FoundBytes]) -> Failure?
    ) {
      self.publish = publish
      self.remember = remember
    }
  }

  /// Called with each file or record, and what became of it.
  package typealias Report = (MigrationStep, OperationResult) throws -> Void

  private static let threads = 8

  let store: LibraryStore
  let mediaRoots: MediaRoots
  let method: Method
  let run: Operation
  let operations: Operations
  let clock: any WallClock
  let shouldStop: @Sendable () -> Bool

  /// Creates a migrator.
  ///
  /// - Parameters:
  ///   - run: the operation that `vmx undo` takes back as one.
  ///   - mediaRoots: the roots; with `inPlace` new files go below the folder that is migrated.
  ///   - shouldStop: called often; once it returns true, the migration throws
  ///     `WorkEnded.interrupted`. What was reported is in the library.
  package init(
    store: LibraryStore, mediaRoots: MediaRoots, by method: Method, in run: Operation,
    operations: Operations, clock: any WallClock, shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.run = run
    self.store = store
    self.mediaRoots = mediaRoots
    self.method = method
    self.operations = operations
    self.clock = clock
    self.shouldStop = shouldStop
  }

  /// Takes the findings in their order; a failure of one does not stop the others.
  ///
  /// - Parameter report: called when the result is durable.
  /// - Throws: errors of the store and of `report`, `WorkEnded.interrupted`.
  package func take(_ findings: [LegacyFinding], of kind: LegacyKind, report: Report) throws {
    let root = try mediaRoots.forNewFiles()
    let place = try ImportStaging(store).place(below: root.folder)
    defer { place.release() }
    try store.prepareForMany()
    let staging = Staging(place: place, root: root)
    let shares = SharedSources(findings)
    try WorkerThread.forEachInOrder(
      findings.count, threads: Self.threads, named: "vmx-migrate"
    ) {
      // No thread needs anything of its own.
    } make: { [self] number, _ in
      result(of: findings[number], kind, staging)
    } take: { result in
      var result = result
      // Two findings of one episode, which two threads took at once.
      if result.isBusy, case .episode(let episode) = result.finding {
        result = self.result(of: .episode(episode), kind, staging)
      }
      if method == .move { removeSources(of: &result, shares) }
      for row in result.rows { try report(row.step, row.result) }
      return !shouldStop()
    }
    if shouldStop() { throw WorkEnded.interrupted }
  }

  private func result(
    of finding: LegacyFinding, _ kind: LegacyKind, _ staging: Staging
  ) -> MigrationResult {
    switch finding {
    case .left(let path, let size, let doubt):
      var step = MigrationStep(kind, path: path.string)
      step.size = size
      step.doubts = [doubt]
      return MigrationResult(finding, [.init(step, .unchanged(doubt.reason))])
    case .refused(let record, let failure):
      return MigrationResult(finding, [.init(MigrationStep(kind, path: record), .failed(failure))])
    case .episode(let episode):
      guard !shouldStop() else { return MigrationResult(finding, []) }
      return MigrationResult(finding, EpisodeMigration(episode, self, staging).rows())
    }
  }

  /// Removes the sources whose bytes are durable in the library, unless they have changed since.
  private func removeSources(of result: inout MigrationResult, _ shares: SharedSources) {
    for index in result.rows.indices {
      guard let source = result.rows[index].removable, shares.isLast(source.path) else { continue }
      do {
        guard let facts = try FileFacts.of(source.path), facts.isSameContent(as: source.facts),
          String(validating: source.path.bytes, as: UTF8.self) != nil
        else { continue }
        try removeFile(source.path)
      } catch {
        result.rows[index].result = .failed(Failure(error))
      }
    }
  }
}

/// A whole file on the root's file system that is to become the file of a part.
package struct StagedFile: Sendable {
  /// Its path; no file has it once the part is ready.
  package let path: FilePath
  /// The name of the part.
  package let part: String
  /// Its size, digest and segments.
  package let found: FoundBytes
}

/// Where copies lie before they are published.
struct Staging: Sendable {
  let place: ImportStaging.Place
  let root: MediaRoot
  private let count = Counter()

  init(place: ImportStaging.Place, root: MediaRoot) {
    self.place = place
    self.root = root
  }

  /// Returns a path that no other copy has.
  func path() -> FilePath { place.file(count.next()) }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
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

  let finding: LegacyFinding
  var rows: [Row]

  init(_ finding: LegacyFinding, _ rows: [Row]) {
    self.finding = finding
    self.rows = rows
  }

  /// Whether another thread or process had the episode.
  var isBusy: Bool { rows.contains { $0.result.failure?.code == .lockBusy } }
}

/// Counts how many episodes still need a source, since one file may have several episodes.
final class SharedSources: Sendable {
  private let left: Mutex<[FilePath: Int]>

  init(_ findings: [LegacyFinding]) {
    var counts: [FilePath: Int] = [:]
    for case .episode(let episode) in findings {
      for file in episode.files where file.contents == nil { counts[file.path, default: 0] += 1 }
    }
    left = Mutex(counts.filter { $0.value > 1 })
  }

  /// Whether no other episode needs the source any more.
  func isLast(_ path: FilePath) -> Bool {
    left.withLock { left in
      guard let count = left[path] else { return true }
      left[path] = count - 1
      return count == 1
    }
  }
}
