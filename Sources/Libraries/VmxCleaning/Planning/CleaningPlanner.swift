import SystemPackage
import VmxImporting
import VmxJobs
package import VmxModel
package import VmxStore
import VmxSystem

// A look takes no lock and changes nothing. What lies in `.vmx` is listed before the store is read,
// and media are walked over before they are compared with the store a second time: so what another
// tool has just brought is never taken for something that nobody knows. Each root shows its mark
// before the look and after it, or the look at it counts for nothing.

/// Looks at the store and all roots, and tells what is to be done.
package struct CleaningPlanner {
  let store: LibraryStore
  let mediaRoots: MediaRoots
  let order: CleaningOrder
  let now: Timestamp
  /// The moment by which files are old; where the clock cannot be trusted none is.
  private(set) var ages: Timestamp
  /// Knows the NFO files that vmx wrote.
  let sidecars: SidecarWriter
  let shouldStop: @Sendable () -> Bool

  /// A planner for one moment.
  ///
  /// - Parameter shouldStop: asked between folders and while files are digested; when it says yes
  ///   the look ends with `WorkEnded.interrupted`.
  package init(
    store: LibraryStore, order: CleaningOrder, now: Timestamp,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.store = store
    self.order = order
    self.now = now
    ages = now
    self.shouldStop = shouldStop
    mediaRoots = MediaRoots(store: store, newFilesBelow: store.home.defaultRoot)
    sidecars = SidecarWriter(mediaRoots: mediaRoots, nfo: NFOSource(isWanted: true))
  }

  /// All steps, in the order in which they are to be done.
  ///
  /// - Throws: `usage` for a root that the library does not have, `WorkEnded.interrupted`, and what
  ///   the store throws.
  package func steps() throws -> [CleaningStep] {
    var planner = self
    let isClockGood = try clockProblem() == nil
    if !isClockGood { planner.ages = Timestamp(milliseconds: .min) }
    return try planner.steps(isClockGood: isClockGood)
  }

  private func steps(isClockGood: Bool) throws -> [CleaningStep] {
    var sights = try sights(in: store.snapshot())
    for index in sights.indices { try sights[index].list(now: now) }
    let survey = StoreSurvey(
      try store.snapshot(), claims: Set(sights.flatMap(\.claims)), now: now)
    for index in sights.indices { try look(at: &sights[index], survey) }
    // Only behind the look: a root may turn out not to be there during it.
    var steps = sights.flatMap(\.refusals)
    let present = Set(sights.compactMap { $0.root?.uuid })
    steps += try leavingSteps(survey, present, expiring: isClockGood)
    steps += sights.flatMap(\.allSteps)
    if isClockGood {
      steps += try retentionSteps(sights)
      steps += try stepRowSteps(present)
      steps += try cacheSteps()
    }
    if try store.isCompactionWorthwhile() {
      steps.append(CleaningStep(.compact, why: "more than 4 MiB of the store count no longer"))
    }
    return steps
  }

  /// Why nothing expires and nothing is purged; nil where the clock agrees with the store.
  package func clockProblem() throws -> Failure? {
    let snapshot = try store.snapshot()
    do throws(StoreError) {
      try snapshot.checkClock(now: now)
      return nil
    } catch {
      return Failure(error)
    }
  }

  /// The roots that are to be cleaned, there or not.
  private func sights(in snapshot: StoreSnapshot) throws -> [RootStatus] {
    var left = Set(order.roots)
    var sights: [RootStatus] = []
    try snapshot.records(of: .root) { record in
      let folder = record.fields["path"]?.string ?? ""
      let names = [record.id, folder]
      guard order.roots.isEmpty || names.contains(where: order.roots.contains) else { return true }
      left.subtract(names)
      sights.append(try RootStatus(record.id, folder, on: mediaRoots))
      return true
    }
    if let unknown = left.sorted().first {
      throw Failure(.usage, "the library has no root '\(unknown)'", hint: "'vmx doctor' names them")
    }
    return sights
  }

  /// Removals to be ended, and what may no longer be watched.
  private func leavingSteps(
    _ survey: StoreSurvey, _ present: Set<String>, expiring: Bool
  ) throws -> [CleaningStep] {
    func isReachable(_ summary: MediaSummary) -> Bool {
      summary.parts.allSatisfy { $0.path == nil || $0.root.map(present.contains) ?? true }
    }
    var steps: [CleaningStep] = []
    for summary in survey.leaving where isReachable(summary) {
      steps.append(
        CleaningStep(.finishRemoval, of: summary, why: "its removal was begun and has not ended"))
    }
    steps += openRowSteps(survey, present)
    steps += try openDiscardSteps(present)
    guard expiring else { return steps }
    for summary in survey.expired where isReachable(summary) {
      let day = summary.expires.map { String($0.text.prefix(10)) } ?? ""
      steps.append(
        CleaningStep(.expire, of: summary, why: "it may be watched no longer since \(day)"))
    }
    return steps
  }
}

extension CleaningPlanner {
  /// Removals whose files are gone and whose end was not recorded.
  private func openRowSteps(_ survey: StoreSurvey, _ present: Set<String>) -> [CleaningStep] {
    let leaving = Set(survey.leaving.map(\.id))
    return survey.openRows.compactMap { id, row in
      guard !leaving.contains(id), row.rootsBefore.isSubset(of: present) else { return nil }
      var step = CleaningStep(.finishRemoval, why: "the end of its removal was not recorded")
      step.episode = id
      return step
    }
    .sorted { $0.id < $1.id }
  }
}

extension CleaningPlanner {
  /// Files of no episode whose way into the trash was begun and not recorded as done.
  private func openDiscardSteps(_ present: Set<String>) throws -> [CleaningStep] {
    try store.snapshot().openDiscards().compactMap { row in
      guard row.roots.allSatisfy(present.contains) else { return nil }
      var step = CleaningStep(.finishDiscard, why: "the end of its removal was not recorded")
      step.name = row.id
      return step
    }
  }
}

extension CleaningStep {
  /// A step about a whole episode.
  init(_ kind: Kind, of summary: MediaSummary, why: String) {
    self.init(kind, why: why)
    episode = summary.id
    rev = summary.rev
    let sizes = summary.parts.filter { $0.path != nil }.compactMap { $0.size?.bytes }
    bytes = ByteCount(clamping: sizes.clampedSum())
  }

  /// The step, as one about a root.
  func below(_ root: MediaRoot) -> CleaningStep {
    var step = self
    step.root = root.uuid
    return step
  }

  /// A step about a file or folder below a root.
  init(_ kind: Kind, _ root: MediaRoot, _ path: PathBytes, why: String) {
    self.init(kind, why: why)
    self.root = root.uuid
    self.path = path
  }

  /// A step about a file below a root.
  init(_ kind: Kind, _ root: MediaRoot, _ file: LooseFile, why: String) {
    self.init(kind, root, file.path, why: why)
    self.file = file.mark
    bytes = ByteCount(clamping: file.facts.size)
  }
}
