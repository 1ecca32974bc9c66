import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleanupExecutor {
  func reach(_ step: CleaningStep) throws -> OperationResult {
    do throws(Failure) {
      _ = try root(of: step)
      return .unchanged(hint: "the file exists now; run the command again")
    } catch {
      return OperationResult(error)
    }
  }

  /// Writes the sidecar and the NFO file of an episode from its current record.
  func writeSidecar(_ step: CleaningStep) throws -> OperationResult {
    guard let id = step.episode else { throw step.changed("no episode given") }
    let claim = try store.claim(id)
    defer { claim.release() }
    guard let episode = try store.snapshot().episode(id), episode.id == id else {
      throw step.changed("the record is gone")
    }
    guard EpisodeSummary(episode).rootOfSidecar != nil else { return .unchanged() }
    return sidecars.write(episode).map { OperationResult($0) } ?? .done
  }

  /// Requests an episode whose record has not changed since the plan was made.
  func request(_ step: CleaningStep) throws -> OperationResult {
    guard let id = step.episode else { throw step.changed("no episode given") }
    try store.prepare([id])
    return try store.update(.durable, room: .useReserve) { transaction in
      guard var episode = try transaction.episode(id), episode.rev == step.rev else {
        throw step.changed("the record has changed")
      }
      try episode.request(isTyped: false, now: clock.now)
      _ = transaction.recorded(episode)
      return .done
    }
  }

  func finish(_ step: CleaningStep) throws -> OperationResult {
    guard let id = step.episode else { throw step.changed("no episode given") }
    return try removal.finish(id).result
  }

  /// Removes the episodes whose records have not changed since the plan was made. The notes of the
  /// results are appended to the reasons of the steps.
  func remove(
    _ steps: inout [CleaningStep], _ first: CleaningStep
  ) throws -> [OperationResult] {
    let revs = Dictionary(
      steps.compactMap { step in step.episode.map { ($0, step) } }, uniquingKeysWith: { $1 })
    var reason = first.reason ?? .rule
    if first.kind == .expire, !reason.isPermanent { reason = .expired }
    let order = RemovalOptions(reason, first.explanation, isPermanent: first.isPermanent)
    let results = try removal.remove(steps.compactMap(\.episode), order) { episode in
      guard let step = revs[episode.id], step.rev == episode.rev else {
        let step = revs[episode.id] ?? first
        throw step.changed("the record has changed")
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
    for (place, step) in steps.enumerated() {
      do {
        findings[place] = try finding(step, in: snapshot)
        results.append(.done)
      } catch {
        results.append(OperationResult(Failure(error)))
      }
    }
    guard let first = steps.first, !findings.isEmpty else { return results }
    do throws(Failure) {
      // If the root was unmounted during the inspection, the findings are void.
      _ = try root(of: first)
    } catch {
      return steps.map { _ in OperationResult(error) }
    }
    let places = findings.keys.sorted()
    let recorded = try VerificationRecorder(store).record(places.compactMap { findings[$0] })
    for (place, recorded) in zip(places, recorded) {
      switch recorded {
      case .changed(let episode):
        results[place] = .done
        if steps[place].kind == .recordMoved { try updateSidecars(episode) }
      case .unchanged: results[place] = .unchanged()
      case .outdated: results[place] = .failed(steps[place].changed("the record has changed"))
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
    guard let id = step.episode, let name = step.part, let path = step.path,
      let part = try snapshot.episode(id)?.parts.first(where: { $0.name == name }),
      let judged = RecordedFile(part), judged.root == step.name ?? step.root,
      PathBytes(judged.path) == path
    else { throw step.changed("the record has changed") }
    let root = try root(of: step)
    if step.kind == .recordMissing {
      guard try FileFacts.ifPresent(at: root.file(at: path)) == nil else {
        throw step.changed("another file exists in its place")
      }
      return MediaFinding(of: name, in: id, judged, .missing, at: clock.now)
    }
    guard let found = step.found, let text = found.text, let sha256 = step.sha256,
      judged.sha256 == sha256
    else { throw step.changed("the record has changed") }
    try checkMark(of: step, root.file(at: found))
    let isInPlace = found == path && step.name == nil
    return MediaFinding(
      of: name, in: id, judged, isInPlace ? .intact : .moved(to: text), at: clock.now,
      inRoot: step.root)
  }

  func deleteJournalEntries(_ steps: [CleaningStep]) throws -> [OperationResult] {
    try store.update(.durable, room: .useReserve) { transaction in
      steps.map { step in
        // An undo may have opened the entry since.
        guard let name = step.name, let record = transaction.record(.step, name),
          JournalEntry(record)?.state != .begun
        else { return .unchanged() }
        transaction.delete(.step, name)
        return .done
      }
    }
  }
}
