import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore
import VmxSystem

// A login must never wait. If another process holds a lock, a root is not mounted, or the library
// is large, the remaining work is done at the next login. So the check walks no tree and reads no
// media file.
//
// It completes removals, removes expired episodes, records missing files, and cleans the trash and
// the files of old interrupted imports. `vmx clean` does the rest.

/// The cleaning work at login.
package struct LoginCleanup: Sendable {
  private let store: LibraryStore
  private let state: LoginState
  private let options: CleaningOptions
  private let clock: any WallClock
  private let end: Deadline

  /// Creates the login work with a time limit.
  ///
  /// - Parameters:
  ///   - store: a store that was opened in a mode that does not wait for locks.
  ///   - milliseconds: the time limit; a step that has begun is completed.
  package init(
    _ store: LibraryStore, state: LoginState, options: CleaningOptions, clock: any WallClock,
    within milliseconds: Int64
  ) {
    self.store = store
    self.state = state
    self.options = options
    self.clock = clock
    end = Deadline(milliseconds: milliseconds)
  }

  /// Executes the steps for which there is time. Errors go only to the log.
  package func perform() {
    do {
      state.report(try work(), at: clock.now)
    } catch {
      state.report([Failure(error)], at: clock.now)
    }
  }

  private func work() throws -> [Failure] {
    let now = clock.now
    let before = try state.cursor()
    if try before.isCurrent(now: now) { return [] }
    // Creates no library if there is none.
    guard try FileFacts.of(store.home.store) != nil else { return [] }
    guard let login = try store.tryJob(.login), let cleaning = try store.tryJob(.cleaning) else {
      return []
    }
    defer {
      cleaning.release()
      login.release()
    }
    let mediaRoots = MediaRoots(store: store)
    var cursor = LoginCursor()
    var scan = LoginScan(options: options, now: now, end: end)
    cursor.seen = try [LoginCursor.PathState(store.home.store)] + scan.roots(of: store, mediaRoots)
    try scan.hiddenSteps(store)
    cursor.index = scan.episodes(of: try store.snapshot(), from: before.index)
    var failures = scan.failures
    let executor = CleanupExecutor(
      LibraryTools(store, clock: clock, tool: "clean", shouldStop: { [end] in end.isPast }))
    do {
      try executor.perform(scan.steps) { _, result in
        // A claimed episode or an unreachable root is not an error: a later login repeats the step.
        if case .failed(let failure) = result { failures.append(failure) }
        if result != .done { scan.next = now }
      }
    } catch WorkEnded.interrupted {
      scan.next = now
    }
    cursor.next = scan.next
    try state.save(cursor)
    return failures
  }
}

/// A login check with a time limit, and the steps that it plans.
struct LoginScan {
  private let options: CleaningOptions
  private let now: Timestamp
  private let end: Deadline
  private var present: [String: MediaRoot] = [:]
  private var isClockReliable = false
  /// The planned steps.
  private(set) var steps: [CleaningStep] = []
  /// The errors of the roots and files that could not be inspected.
  private(set) var failures: [Failure] = []
  /// The time when the next step is due.
  var next: Timestamp?

  init(options: CleaningOptions, now: Timestamp, end: Deadline) {
    self.options = options
    self.now = now
    self.end = end
  }

  /// Determines which roots are reachable.
  ///
  /// - Returns: the path states, which are equal at the next login if nothing has changed.
  /// - Throws: the errors of the store.
  mutating func roots(of store: LibraryStore, _ mediaRoots: MediaRoots) throws -> [LoginCursor
    .PathState]
  {
    let snapshot = try store.snapshot()
    var states: [LoginCursor.PathState] = []
    try snapshot.records(of: .root) { record in
      guard let path = record.path else { return true }
      let folder = FilePath(path)
      for watched in [
        folder, folder.appending(LibraryLayout.mark),
        folder.appending(LibraryLayout.Folder.trash.path),
        folder.appending(LibraryLayout.Folder.partial.path),
      ] {
        states.append(try LoginCursor.PathState(watched))
      }
      let scan = try RootScan(record.id, path, on: mediaRoots)
      present[record.id] = scan.root
      failures += scan.refusals.compactMap(\.failure)
      return !end.isPast
    }
    do throws(StoreError) {
      try snapshot.checkClock(now: now)
      isClockReliable = true
    } catch {
      failures.append(Failure(error))
    }
    return states
  }

  /// Plans the steps for the trash, and for files of interrupted imports older than a day.
  ///
  /// - Throws: the errors of the store.
  mutating func hiddenSteps(_ store: LibraryStore) throws {
    guard isClockReliable else { return }
    for root in present.values where !end.isPast {
      do {
        try trash(of: root)
        try partials(of: root, try store.snapshot())
      } catch let error as FileError {
        failures.append(Failure(error))
        present[root.uuid] = nil
      }
    }
  }

  private mutating func trash(of root: MediaRoot) throws {
    let problems = ReadFailures()
    let entries = try TrashListing(Trash(root: root), problems, now: now).entries
    failures += problems.entries.map(\.failure)
    guard let oldest = entries.first else { return }
    let plan = TrashPlan(options.trash, in: root.uuid, now: now).steps(
      entries, disk: try diskSize(at: root.folder), free: try freeSpace(at: root.folder),
      target: nil)
    steps += plan.steps
    repeatCheck(at: oldest.at.adding(milliseconds: options.trash.keep))
  }

  private mutating func partials(of root: MediaRoot, _ snapshot: StoreSnapshot) throws {
    for file in try root.files(in: .partial) {
      guard case .importing(let id)? = LibraryLayout.partial(named: file.path.lastName) else {
        continue
      }
      guard file.isOld(at: now) else {
        repeatCheck(at: file.facts.modifiedAt.adding(milliseconds: CleaningOptions.minAge + 1))
        continue
      }
      steps.append(
        CleaningStep(in: root, file: file, explanation: "left by an interrupted fetch") {
          .dropPartial($0, of: id)
        })
    }
  }

  /// Plans the completion of removals, the removal of expired episodes, and the records of missing
  /// files. Starts at a position and ends at the time limit.
  ///
  /// - Returns: the position to continue from; 0 after the last episode.
  mutating func episodes(of snapshot: StoreSnapshot, from index: Int) -> Int {
    let leavingPlan = RemovalPlan(present: Set(present.keys))
    var leaving: Set<EpisodeID> = []
    var reached = index
    var isWhole = true
    snapshot.summaries(from: index) { summary in
      if summary.isBeingRemoved {
        leaving.insert(summary.id)
        if let step = leavingPlan.completion(of: summary) { steps.append(step) }
      } else {
        plan(summary, leavingPlan)
      }
      reached += 1
      isWhole = !end.isPast
      return isWhole
    }
    steps += leavingPlan.completionSteps(of: snapshot.openEntries(), except: leaving)
    steps += leavingPlan.completionSteps(of: snapshot.openFileEntries())
    return isWhole ? 0 : reached
  }

  private mutating func plan(_ summary: EpisodeSummary, _ leavingPlan: RemovalPlan) {
    guard leavingPlan.isReachable(summary) else { return }
    if let end = summary.endOfFiles(grace: options.licenceGrace) {
      if end <= now, isClockReliable {
        if let step = leavingPlan.removal(ofExpired: summary) { steps.append(step) }
        return
      }
      repeatCheck(at: end)
    }
    for part in summary.parts where part.state == .ready { plan(part, of: summary) }
  }

  private mutating func plan(_ part: Part, of summary: EpisodeSummary) {
    guard let root = present[part.root ?? ""], let path = part.path else { return }
    do throws(FileError) {
      guard try FileFacts.ifPresent(at: root.folder.appending(FilePath(path).components)) == nil,
        let missing = try MissingFile(part, of: summary, in: root), missing.existing == nil
      else { return }
      steps.append(CleaningStep(missing: missing))
    } catch {
      failures.append(Failure(error))
    }
  }

  private mutating func repeatCheck(at moment: Timestamp) {
    guard moment > now else { return }
    next = min(next ?? moment, moment)
  }
}
