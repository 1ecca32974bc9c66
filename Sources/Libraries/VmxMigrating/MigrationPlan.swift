import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxStore

/// The effect of a migration, told by the records and names alone: no byte of a video is read.
package struct MigrationPlan {
  private let store: LibraryStore
  private let clock: any WallClock

  /// Creates a planner for a store.
  package init(store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Reports each file and record with what would become of it.
  ///
  /// - Throws: errors of the store and of `report`.
  package func report(
    _ findings: [LegacyFinding], of kind: LegacyKind, to report: Migrator.Report
  ) throws {
    let snapshot = try store.snapshot()
    for finding in findings {
      switch finding {
      case .left(let path, let size, let doubt):
        var step = MigrationStep(kind, path: path.string)
        step.size = size
        step.doubts = [doubt]
        try report(step, .unchanged(doubt.reason))
      case .refused(let record, let failure):
        try report(MigrationStep(kind, path: record), .failed(failure))
      case .episode(let episode):
        for row in try rows(of: episode, in: snapshot) { try report(row.step, row.result) }
      }
    }
  }

  private func rows(
    of episode: LegacyEpisode, in snapshot: StoreSnapshot
  ) throws -> [MigrationResult.Row] {
    let known: Episode?
    do {
      known = try episode.match(in: snapshot)
    } catch {
      let result = OperationResult(Failure(error))
      return Self.steps(of: episode).map { MigrationResult.Row($0, result) }
    }
    let proposed = known ?? Self.proposal(for: episode, now: clock.now)
    return Self.steps(of: episode).map { step in
      var step = step
      step.episode = proposed.id
      if let known, known.want == .gone {
        return MigrationResult.Row(step, .unchanged(.gone, hint: known.removedHint))
      }
      guard let part = proposed.parts.first(where: { $0.name == step.part }) else {
        return MigrationResult.Row(step, .planned)
      }
      if part.state == .ready {
        step.target = part.path
        let isSame = (part.original?.size ?? part.size) == step.size
        return MigrationResult.Row(step, .unchanged(isSame ? .upToDate : .otherBytes))
      }
      let isKey = step.part == PartRole.key.rawValue
      let ending = isKey ? "" : FilePath(step.path).extension ?? ""
      step.target = MediaName.path(for: proposed, part: part, fileExtension: ending)
      return MigrationResult.Row(step, .planned)
    }
  }

  private static func proposal(for legacy: LegacyEpisode, now: Timestamp) -> Episode {
    let description = legacy.description
    var episode = Episode(
      id: description.proposedID, title: description.resolvedTitle,
      showTitle: description.resolvedShowTitle, added: now,
      parts: description.parts.map { part in part.part { _ in nil } })
    description.apply(to: &episode)
    return episode
  }

  /// Returns a step for each file of an episode, or one for its record if it has none.
  static func steps(of episode: LegacyEpisode) -> [MigrationStep] {
    var steps = episode.files.map { file in
      var step = MigrationStep(episode.kind, path: file.path.string)
      step.part = file.part
      step.size = file.size
      step.evidence = episode.evidence
      step.doubts = episode.doubts + file.doubts
      return step
    }
    if let partial = episode.partial {
      var step = MigrationStep(episode.kind, path: partial.path.string)
      step.part = PartRole.video.rawValue
      step.size = ByteCount(clamping: partial.held.count)
      step.evidence = episode.evidence
      step.doubts = episode.doubts
      steps.append(step)
    }
    if steps.isEmpty {
      var step = MigrationStep(episode.kind, path: episode.record)
      step.evidence = episode.evidence
      step.doubts = episode.doubts
      steps = [step]
    }
    return steps
  }
}
