import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleanupExecutor {
  func reach(_ uuid: String) throws -> OperationResult {
    do throws(Failure) {
      _ = try root(uuid)
      return .unchanged(hint: "the file exists now; run the command again")
    } catch {
      return OperationResult(error)
    }
  }

  /// Writes the sidecar and the NFO file of an episode from its current record.
  func writeSidecar(_ step: CleaningStep, _ id: EpisodeID) throws -> OperationResult {
    let claim = try store.claim(id)
    defer { claim.release() }
    guard let episode = try store.snapshot().episode(id), episode.id == id else {
      throw step.changed("the record is gone")
    }
    guard EpisodeSummary(episode).rootOfSidecar != nil else { return .unchanged() }
    return sidecars.write(episode).map { OperationResult($0) } ?? .done
  }

  /// Writes the sidecar of a show from its current record.
  func writeShow(
    _ step: CleaningStep, at path: PathBytes, root: String
  ) throws -> OperationResult {
    guard LibraryLayout.Folder.shows.contains(path), let slug = LibraryLayout.show(ofSidecar: path)
    else { throw step.changed("not the sidecar of a show") }
    return OperationResult(
      isChanged: try ShowSidecar.write(slug.description, to: self.root(root), in: store))
  }

  /// Requests an episode whose record has not changed since the plan was made.
  func request(_ step: CleaningStep, _ planned: EpisodeRevision) throws -> OperationResult {
    try store.prepare([planned.id])
    return try store.update(.durable, room: .useReserve) { transaction in
      guard var episode = try transaction.episode(planned.id), episode.rev == planned.rev else {
        throw step.changed("the record has changed")
      }
      try episode.request(isTyped: false, now: clock.now)
      _ = transaction.recorded(episode)
      return .done
    }
  }

  /// Removes the episodes whose records have not changed since the plan was made. The notes of the
  /// results are appended to the reasons of the steps.
  func remove(
    _ steps: inout [CleaningStep], _ options: RemovalOptions
  ) throws -> [OperationResult] {
    let first = steps[0]
    let revs = Dictionary(
      steps.compactMap { step in step.episode.map { ($0, step) } }, uniquingKeysWith: { $1 })
    let results = try removal.remove(steps.compactMap(\.episode), options) { episode in
      guard let step = revs[episode.id], step.rev == episode.rev else {
        throw (revs[episode.id] ?? first).changed("the record has changed")
      }
    }
    for (index, result) in zip(steps.indices, results) {
      steps[index].explanation = ([steps[index].explanation] + result.notes).joined(separator: "; ")
    }
    return results.map(\.result)
  }

  /// Records the findings that a second inspection of the files confirms.
  func record(_ steps: [CleaningStep]) throws -> [OperationResult] {
    let snapshot = try store.snapshot()
    var findings: [Int: MediaFinding] = [:]
    var results: [OperationResult] = []
    for (index, step) in steps.enumerated() {
      do {
        findings[index] = try finding(step, in: snapshot)
        results.append(.done)
      } catch {
        results.append(OperationResult(Failure(error)))
      }
    }
    guard let root = steps.first?.root, !findings.isEmpty else { return results }
    do throws(Failure) {
      // If the root was unmounted during the inspection, the findings are void.
      _ = try self.root(root)
    } catch {
      return steps.map { _ in OperationResult(error) }
    }
    let indices = findings.keys.sorted()
    let recorded = try VerificationRecorder(store).record(indices.compactMap { findings[$0] })
    for (index, recorded) in zip(indices, recorded) {
      switch recorded {
      case .changed(let episode):
        results[index] = .done
        if steps[index].kind == .recordMoved { try updateSidecars(episode) }
      case .unchanged: results[index] = .unchanged()
      case .outdated: results[index] = .failed(steps[index].changed("the record has changed"))
      }
    }
    return results
  }

  /// Writes the sidecar and the NFO file of a video that has moved. If that fails, or another
  /// worker has claimed the episode, the next run writes them.
  private func updateSidecars(_ episode: Episode) throws {
    let id = episode.id
    guard let claim = try store.claims.claim(id) else { return }
    defer { claim.release() }
    guard let episode = try store.snapshot().episode(id), episode.id == id else { return }
    _ = sidecars.write(episode)
  }

  private func finding(_ step: CleaningStep, in snapshot: StoreSnapshot) throws -> MediaFinding {
    guard let (planned, found) = step.action.recorded, case let id = planned.episode.id,
      let part = try snapshot.episode(id)?.parts.first(where: { $0.name == planned.part }),
      let judged = RecordedFile(part), judged.root == planned.root,
      PathBytes(judged.path) == planned.path
    else { throw step.changed("the record has changed") }
    let root = try root(found?.root ?? planned.root)
    guard let found else {
      guard try FileFacts.ifPresent(at: root.file(at: planned.path)) == nil else {
        throw step.changed("another file exists in its place")
      }
      return MediaFinding(of: planned.part, in: id, judged, .missing, at: clock.now)
    }
    guard let text = found.path.text, let sha256 = planned.sha256, judged.sha256 == sha256
    else { throw step.changed("the record has changed") }
    try check(found.mark, at: root.file(at: found.path), of: step)
    let isInPlace = found.path == planned.path && found.root == planned.root
    return MediaFinding(
      of: planned.part, in: id, judged, isInPlace ? .intact : .moved(to: text), at: clock.now,
      inRoot: found.root)
  }

  func deleteJournalEntries(_ steps: [CleaningStep]) throws -> [OperationResult] {
    let snapshot = try store.snapshot()
    let kept = try Set(
      steps.compactMap(\.name).filter { name in
        try snapshot.journalEntry(name).map(isInTrash) ?? false
      })
    return try store.update(.durable, room: .useReserve) { transaction in
      steps.map { step in
        // An undo may have opened the entry since.
        guard let name = step.name, !kept.contains(name),
          let record = transaction.record(.step, name), JournalEntry(record)?.state != .begun
        else { return .unchanged() }
        transaction.delete(.step, name)
        return .done
      }
    }
  }

  /// Whether the trash has the list of a journal entry: it was not purged, since another process
  /// had the episode, or an undo is returning its files.
  private func isInTrash(_ entry: JournalEntry) throws -> Bool {
    try entry.roots.contains { uuid in
      try Trash(root: root(uuid)).listedEntry(named: entry.trashName) != nil
    }
  }
}

extension CleaningAction {
  /// The part whose file is recorded as missing, or as found elsewhere.
  fileprivate var recorded: (part: RecordedPart, found: PlannedFile?)? {
    switch self {
    case .recordMissing(let part): (part, nil)
    case .recordMoved(let part, let file): (part, file)
    default: nil
    }
  }
}

extension EpisodeRevision {
  /// Whether the record of an episode is as it was when the step was planned.
  func isCurrent(_ episode: Episode) -> Bool {
    id == episode.id && rev.map { $0 == episode.rev } ?? true
  }
}
