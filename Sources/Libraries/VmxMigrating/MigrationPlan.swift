import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxNaming
import VmxStore

/// Predicts the effect of a migration from records, names and tags. It reads no stream of a video.
package struct MigrationPlan {
  private let store: LibraryStore
  private let naming: NameTemplate
  private let clock: any WallClock

  /// Creates a planner for a store.
  ///
  /// - Parameter naming: the template for the names of new files.
  package init(_ tools: LibraryTools) {
    store = tools.store
    naming = tools.naming
    clock = tools.clock
  }

  /// Reports each file and record with its predicted result.
  ///
  /// - Throws: errors of the store and of `report`.
  package func report(
    _ findings: [LegacyFinding], of kind: LegacyKind, to report: Migrator.Report
  ) throws {
    let snapshot = try store.snapshot()
    for finding in findings {
      if case .episode(let episode) = finding {
        for row in try rows(of: episode, in: snapshot) { try report(row.step, row.result) }
      } else if let row = finding.row(of: kind) {
        try report(row.step, row.result)
      }
    }
  }

  private func rows(
    of episode: LegacyEpisode, in snapshot: StoreSnapshot
  ) throws -> [MigrationResult.Row] {
    let known: Episode?
    var episode = episode
    do {
      known = try episode.match(in: snapshot)
      guard episode.reduceToMarks(of: known) else {
        return Self.steps(of: episode).map { MigrationResult.Row($0, .unchanged(.notThere)) }
      }
    } catch {
      let result = OperationResult.failed(Failure(error))
      return Self.steps(of: episode).map { MigrationResult.Row($0, result) }
    }
    let proposed = known ?? episode.description.proposal(now: clock.now)
    let changed = try known.map { try changes(of: $0, by: episode) } ?? []
    var rows = Self.steps(of: episode).map { step in
      row(step, proposed, isKnown: known != nil, of: episode)
    }
    guard known?.want != .gone, !changed.isEmpty, !rows.isEmpty else { return rows }
    if rows.allSatisfy(\.result.isUnchangedFile) { rows[0].result = .planned }
    if rows[0].result == .planned { rows[0].step.changed = changed }
    return rows
  }

  /// Returns the row of a file or record, apart from changes of the record.
  private func row(
    _ step: MigrationStep, _ proposed: Episode, isKnown: Bool, of episode: LegacyEpisode
  ) -> MigrationResult.Row {
    var step = step
    step.episode = proposed.id
    if isKnown, proposed.want == .gone, !episode.isOnlyListed {
      return MigrationResult.Row(step, .unchanged(.gone, hint: proposed.removedHint))
    }
    if isKnown, episode.files.isEmpty, episode.partial == nil || episode.isOnlyListed {
      return MigrationResult.Row(step, .unchanged())
    }
    guard let part = proposed.parts.first(where: { $0.name == step.part }) else {
      return MigrationResult.Row(step, .planned)
    }
    if part.hasFile {
      step.target = part.path
      let isSame = (part.original?.size ?? part.size) == step.size
      return MigrationResult.Row(step, .unchanged(isSame ? .upToDate : .otherBytes))
    }
    step.target = MediaName.path(
      for: proposed, part: part, fileExtension: Self.ending(of: part, in: episode, step),
      by: naming)
    return MigrationResult.Row(step, .planned)
  }

  /// Returns the fields of a known episode that the record of another program would change.
  private func changes(of known: Episode, by episode: LegacyEpisode) throws -> [String] {
    guard !episode.isOnlyListed, known.want != .gone else { return [] }
    let importer = try EpisodeImporter(
      exported: episode.compared, identityKeys: episode.keys, isForeign: false, secrets: nil)
    let now = clock.now
    return try store.dryRun.update(.soon) { transaction in
      let playedAt =
        episode.hasMarks ? episode.playedAt(known, in: transaction, now: now) : nil
      let taken = try importer.upsert(into: &transaction, now: now) { after, before in
        episode.mark(&after, before: before, playedAt)
      }
      let hasMoved = episode.recordPosition(
        of: taken.episode, before: taken.before, playedAt, in: &transaction)
      return taken.verdict == .unchanged && !hasMoved
        ? [] : taken.changedFields(hasMoved: hasMoved)
    }
  }

  /// Returns the extension of the name that a file gets. An unfinished file gets that of its URL,
  /// until its first bytes decide.
  private static func ending(
    of part: Part, in episode: LegacyEpisode, _ step: MigrationStep
  ) -> String {
    if part.role == .key { return "" }
    if let partial = episode.partial, partial.path.string == step.path { return part.urlExtension }
    return FilePath(step.path).extension ?? ""
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
      step.size = ByteCount(clamping: partial.completedRanges.count)
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
