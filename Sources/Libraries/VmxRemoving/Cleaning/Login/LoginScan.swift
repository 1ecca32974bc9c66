import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A login check with a time limit, and the steps that it plans.
struct LoginScan {
  private let order: CleaningOrder
  private let now: Timestamp
  private let end: Deadline
  private var present: [String: MediaRoot] = [:]
  private var isClockGood = false
  /// The planned steps.
  private(set) var steps: [CleaningStep] = []
  /// The errors of the roots and files that could not be inspected.
  private(set) var failures: [Failure] = []
  /// The time when the next step is due.
  var next: Timestamp?

  init(order: CleaningOrder, now: Timestamp, end: Deadline) {
    self.order = order
    self.now = now
    self.end = end
  }

  /// Determines which roots are reachable.
  ///
  /// - Returns: the states that are equal at the next login if nothing has changed.
  /// - Throws: the errors of the store.
  mutating func roots(of store: LibraryStore, _ mediaRoots: MediaRoots) throws -> [LoginCursor
    .FileState]
  {
    let snapshot = try store.snapshot()
    var sights: [LoginCursor.FileState] = []
    try snapshot.records(of: .root) { record in
      guard let path = record.fields["path"]?.string else { return true }
      let folder = FilePath(path)
      for place in [
        folder, folder.appending(LibraryLayout.mark),
        folder.appending(LibraryLayout.Folder.trash.path),
        folder.appending(LibraryLayout.Folder.partial.path),
      ] {
        sights.append(try LoginCursor.FileState(place))
      }
      let sight = try RootStatus(record.id, path, on: mediaRoots)
      present[record.id] = sight.root
      failures += sight.refusals.compactMap(\.failure)
      return !end.isPast
    }
    do throws(StoreError) {
      try snapshot.checkClock(now: now)
      isClockGood = true
    } catch {
      failures.append(Failure(error))
    }
    return sights
  }

  /// Plans the steps for the trash, and for files of interrupted imports older than a day.
  ///
  /// - Throws: the errors of the store.
  mutating func chores(_ store: LibraryStore) throws {
    guard isClockGood else { return }
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
    let entries = try TrashListing(Trash(root: root), problems, now: now).held
    failures += problems.entries.map(\.failure)
    guard let oldest = entries.first else { return }
    let plan = TrashPlan(order.trash, now: now).steps(
      entries, disk: try diskSize(at: root.folder), free: try freeSpace(at: root.folder),
      target: nil)
    steps += plan.steps.map { $0.below(root) }
    wake(at: oldest.at.adding(milliseconds: order.trash.keep))
  }

  private mutating func partials(of root: MediaRoot, _ snapshot: StoreSnapshot) throws {
    for file in try RootFolder(root: root).files(in: .partial) {
      guard case .importing(let id)? = LibraryLayout.partial(named: file.path.lastName) else {
        continue
      }
      guard file.isOlder(than: CleaningOrder.rest, now: now) else {
        let changed = Timestamp(milliseconds: file.facts.modified / 1_000_000)
        wake(at: changed.adding(milliseconds: CleaningOrder.rest + 1))
        continue
      }
      var step = CleaningStep(.dropPartial, root, file, why: "no process fetches it any longer")
      step.name = id.description
      steps.append(step)
    }
  }

  /// Plans the completion of removals, the removal of expired episodes, and the records of missing
  /// files. Starts at a position and ends at the time limit.
  ///
  /// - Returns: the position to continue from; 0 after the last episode.
  mutating func episodes(of snapshot: StoreSnapshot, from place: Int) -> Int {
    var reached = place
    var isWhole = true
    snapshot.summaries(from: place) { summary in
      look(at: summary)
      reached += 1
      isWhole = !end.isPast
      return isWhole
    }
    return isWhole ? 0 : reached
  }

  private mutating func look(at summary: EpisodeSummary) {
    guard summary.parts.allSatisfy({ $0.path == nil || present[$0.root ?? ""] != nil }) else {
      return
    }
    if summary.parts.contains(where: \.isLeaving) {
      steps.append(CleaningStep(.finishRemoval, of: summary, why: "its removal has not ended"))
      return
    }
    if !summary.isKept, let expires = summary.expires,
      summary.parts.contains(where: { $0.path != nil && $0.state != .removed })
    {
      if expires <= now, isClockGood {
        steps.append(CleaningStep(.expire, of: summary, why: "it may be watched no longer"))
        return
      }
      wake(at: expires)
    }
    for part in summary.parts where part.state == .ready { look(at: part, of: summary) }
  }

  private mutating func look(at part: Part, of summary: EpisodeSummary) {
    guard let root = present[part.root ?? ""], let path = part.path, let judged = JudgedFile(part)
    else { return }
    do throws(FileError) {
      let file = root.folder.appending(FilePath(path).components)
      guard try FileFacts.of(file) == nil, try !leadsThroughLink(file, below: root.folder) else {
        return
      }
      let lost = LostFile(
        episode: summary.id, rev: summary.rev, part: part, judged: judged, there: nil)
      steps.append(CleaningStep(.recordMissing, root, lost, nil, why: "its file is not there"))
    } catch {
      failures.append(Failure(error))
    }
  }

  private mutating func wake(at moment: Timestamp) {
    guard moment > now else { return }
    next = min(next ?? moment, moment)
  }
}
