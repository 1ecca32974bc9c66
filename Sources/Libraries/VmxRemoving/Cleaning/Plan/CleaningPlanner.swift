package import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

/// The options of a run of `vmx clean`.
package struct CleaningOptions: Sendable {
  /// The minimum age in milliseconds of partial downloads, bytes set aside, temporary files and
  /// cache files before they are removed.
  static let minAge: Int64 = 86_400_000
  /// The minimum age of unused cache files, in milliseconds. They can be fetched again.
  static let minCacheAge: Int64 = 30 * minAge

  /// The rules that select episodes to remove.
  package var rules = RetentionRules()
  /// Whether the rules of feeds (`vmx feed add --keep-last`) and of shows
  /// (`vmx queue set keep-next=N`) also select episodes.
  package var appliesFeedRules = true
  /// The limits of the trash.
  package var trash: TrashRules
  /// The setting `licence.grace`: the time in milliseconds for which files are kept after their
  /// licence has ended.
  package var licenceGrace: Int64 = 0
  /// Whether everything in the trash is purged.
  package var emptiesTrash = false
  /// Whether files without a record are moved to the trash.
  package var discardsForeign = false
  /// The rules for renaming files to the names of their records; nil to rename no file.
  package var renaming: RenamingRules?
  /// The folders or UUIDs of the roots to clean; empty for all roots.
  package var roots: [String] = []
  /// The folders or UUIDs of unreachable roots that will not come back, as the user has said. If
  /// there are any, nothing else is done.
  package var lost: [String] = []
  /// The root to which the episodes of the query move: its UUID, in a dry run also the folder of a
  /// new one. If there is one, nothing else is done but the rest of earlier moves.
  package var moveTo: String?
  /// Whether the records of one episode are joined. If so, nothing else is done.
  package var joinsTwins = false
  /// Whether records that are only likely one episode are joined too.
  package var joinsLikely = false
  /// The episodes whose sidecars are older than their records.
  package var outdatedSidecars: Set<EpisodeID> = []
  /// The folder of data that can be fetched again; nil if there is none.
  package var cache: FilePath?

  /// The default options: only the steps that need no confirmation.
  ///
  /// - Parameter licenceGrace: the setting `licence.grace` in milliseconds.
  package init(trash: TrashRules, licenceGrace: Int64 = 0) {
    self.trash = trash
    self.licenceGrace = licenceGrace
  }
}

// A scan takes no lock and changes nothing. It lists `.vmx` before it reads the store, and it walks
// the media before it compares them with a second reading of the store. So a file that another tool
// has just published is never reported as unknown.
//
// The marker of each root is read before and after the scan. If it differs, the findings of that
// root are discarded.

/// Scans the store and all roots, and plans the cleaning steps.
package struct CleaningPlanner {
  let tools: LibraryTools
  var store: LibraryStore { tools.store }
  var mediaRoots: MediaRoots { tools.mediaRoots }
  var shouldStop: @Sendable () -> Bool { tools.shouldStop }
  let options: CleaningOptions
  let now: Timestamp
  /// The time from which ages are computed; far in the past if the clock is unreliable, so that no
  /// file counts as old.
  private(set) var ages: Timestamp
  /// Recognises NFO files that vmx wrote.
  let sidecars: SidecarWriter

  /// Creates a planner for a given time.
  ///
  /// - Parameters:
  ///   - tools: the library. Once its run is to stop, the scan ends with `WorkEnded.interrupted`.
  ///   - now: the time of the system, even if the library trusts another one.
  package init(_ tools: LibraryTools, options: CleaningOptions, now: Timestamp) {
    self.tools = tools
    self.options = options
    self.now = now
    ages = now
    sidecars = SidecarWriter(mediaRoots: tools.mediaRoots, nfo: NFOSettings(isWanted: true))
  }

  /// Returns all steps, in the order of their execution.
  ///
  /// - Throws: `usage` for a root that the library does not have, `free-unreachable`,
  ///   `WorkEnded.interrupted`, and the errors of the store.
  package func steps() throws -> [CleaningStep] {
    if !options.lost.isEmpty { return try lossSteps() }
    if options.joinsTwins { return try joinSteps() }
    var planner = self
    let isClockGood = try clockProblem() == nil
    if !isClockGood { planner.ages = Timestamp(milliseconds: .min) }
    return try planner.steps(isClockGood: isClockGood)
  }

  private func steps(isClockGood: Bool) throws -> [CleaningStep] {
    var roots = try scans(in: store.snapshot(), options.roots)
    for index in roots.indices { try roots[index].list(now: now) }
    let survey = StoreSurvey(
      try store.snapshot(), claims: Set(roots.flatMap(\.claims)), now: now,
      grace: options.licenceGrace)
    for index in roots.indices { try scan(&roots[index], survey) }
    try matchAcrossRoots(&roots, survey)
    let moves = try finishMoveSteps(&roots)
    if let target = options.moveTo {
      return try roots.flatMap(\.refusals) + moves + moveSteps(to: target)
    }
    // After the scan, because a root may turn out to be unreachable during it.
    var steps = roots.flatMap(\.refusals)
    let renames =
      try options.renaming.map {
        try renameSteps($0, scans: roots, survey: survey, refusals: &steps)
      }
      ?? []
    let present = Set(roots.compactMap { $0.root?.uuid })
    steps += try removalSteps(survey, present, expiring: isClockGood)
    // A rename writes the sidecar of its episode.
    let renamed = Set(renames.compactMap(\.episode))
    let others = roots.flatMap(\.allSteps).filter { step in
      step.kind != .writeSidecar || step.episode.map { !renamed.contains($0) } ?? true
    }
    steps += moves + others + renames
    if isClockGood {
      steps += try retentionSteps(roots)
      steps += try stepRowSteps(present)
      steps += try cacheSteps()
    }
    if try store.needsCompaction() {
      steps.append(CleaningStep(.compact, explanation: "more than 4 MiB of the store are obsolete"))
    }
    return steps
  }

  /// Returns the reason why no episode expires and no trash is purged; nil if the clock agrees with
  /// the store.
  package func clockProblem() throws -> Failure? {
    let snapshot = try store.snapshot()
    do throws(StoreError) {
      try snapshot.checkClock(now: now)
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// Returns roots, reachable or not.
  ///
  /// - Parameter chosen: the folders or UUIDs of the roots; empty for all that are not lost.
  /// - Throws: `usage` for a root that the library does not have, errors of the store.
  func scans(in snapshot: StoreSnapshot, _ chosen: [String]) throws -> [RootScan] {
    var left = Set(chosen)
    var scans: [RootScan] = []
    try snapshot.records(of: .root) { record in
      let folder = record.path ?? ""
      let recorded = snapshot.recordedFolder(ofRoot: record.id) ?? folder
      let names = [record.id, folder, recorded, realPath(of: FilePath(folder))?.string ?? folder]
      guard chosen.isEmpty || names.contains(where: chosen.contains) else { return true }
      left.subtract(names)
      let scan = try RootScan(record.id, folder, on: mediaRoots)
      if scan.root != nil || !record.isLostRoot || !chosen.isEmpty { scans.append(scan) }
      return true
    }
    if let unknown = left.sorted().first {
      throw Failure(
        .inputMissing, "the library has no root '\(unknown)'",
        hint: "run 'vmx doctor' for the roots")
    }
    return scans
  }

  /// Plans the completion of removals, and the removal of expired episodes.
  private func removalSteps(
    _ survey: StoreSurvey, _ present: Set<String>, expiring: Bool
  ) throws -> [CleaningStep] {
    let plan = RemovalPlan(present: present)
    var steps = survey.beingRemoved.compactMap(plan.completion)
    steps += plan.completionSteps(
      of: survey.openEntries, except: Set(survey.beingRemoved.map(\.id)))
    steps += plan.completionSteps(of: try store.snapshot().openFileEntries())
    return expiring ? steps + survey.expired.compactMap(plan.removal) : steps
  }
}

extension CleaningStep {
  /// Creates a step for a whole episode.
  init(
    of summary: EpisodeSummary, explanation: String, _ action: (EpisodeRevision) -> CleaningAction
  ) {
    let sizes = summary.parts.filter { $0.path != nil }.compactMap { $0.size?.bytes }
    self.init(
      action(EpisodeRevision(summary)), explanation: explanation,
      bytes: ByteCount(clamping: sizes.clampedSum()))
  }

  /// Creates a step for a file below a root.
  init(
    in root: MediaRoot, file: UnrecordedFile, explanation: String,
    _ action: (PlannedFile) -> CleaningAction
  ) {
    self.init(
      action(PlannedFile(file, in: root)), explanation: explanation,
      bytes: ByteCount(clamping: file.facts.size))
  }
}

extension EpisodeRevision {
  /// The episode with its current `rev`.
  init(_ summary: EpisodeSummary) { self.init(summary.id, rev: summary.rev) }
}

extension PlannedFile {
  /// A file as the scan found it.
  init(_ file: UnrecordedFile, in root: MediaRoot) {
    self.init(root: root.uuid, path: file.path, mark: file.mark)
  }
}
