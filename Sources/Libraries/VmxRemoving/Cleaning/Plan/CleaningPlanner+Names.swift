package import SystemPackage
import VmxLibrary
package import VmxModel
package import VmxNaming
import VmxStore
import VmxSystem

/// The rules for renaming files to the names of their records.
package struct RenamingRules: Sendable {
  /// The episodes whose files are renamed.
  package var query = EpisodeQuery()
  /// The setting `library.template`.
  package let naming: NameTemplate
  /// The folder of the root for new files. Files in another root, which vmx may have found there,
  /// are not renamed unless the options name that root.
  package let newFiles: FilePath

  /// Creates rules for all episodes.
  package init(_ naming: NameTemplate, newFilesBelow newFiles: FilePath) {
    self.naming = naming
    self.newFiles = newFiles
  }
}

extension CleaningPlanner {
  /// Plans the renames of files whose records have changed since they were named.
  ///
  /// - Parameter refusals: the steps of unreachable roots; each gets the number of files that are
  ///   not renamed.
  /// - Throws: `WorkEnded.interrupted`, and the errors of the store.
  func renameSteps(
    _ rules: RenamingRules, scans: [RootScan], survey: StoreSurvey,
    refusals: inout [CleaningStep]
  ) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    let uuids = scans.map(\.uuid).filter { uuid in
      let folder = snapshot.rootFolder(uuid)
      return !options.roots.isEmpty || folder.map { FilePath($0) } == rules.newFiles
    }
    var plans: [String: RenamePlan] = [:]
    for root in scans.compactMap(\.root) where uuids.contains(root.uuid) {
      let recorded = survey.roots[root.uuid]?.paths ?? KnownHashes()
      plans[root.uuid] = RenamePlan(
        in: root.uuid, recorded: recorded, by: rules.naming,
        facts: { try FileFacts.ifPresent(at: root.file(at: PathBytes($0))) },
        isSpelling: {
          try VmxSystem.isSpelling(root.file(at: PathBytes($0)), of: root.file(at: PathBytes($1)))
        })
    }
    var left: [String: Int] = [:]
    try snapshot.episodes(matching: rules.query) { episode in
      if shouldStop() { throw WorkEnded.interrupted }
      for uuid in uuids {
        let moves = MediaName.moves(of: episode, in: uuid, by: rules.naming)
        guard !moves.isEmpty else { continue }
        if plans[uuid] == nil { left[uuid, default: 0] += moves.count }
        plans[uuid]?.add(episode, moves)
      }
      return true
    }
    for index in refusals.indices where refusals[index].kind == .reachRoot {
      guard let count = refusals[index].root.flatMap({ left[$0] }) else { continue }
      refusals[index].explanation += "; \(count) of its files keep their names"
    }
    return try uuids.flatMap { uuid -> [CleaningStep] in
      guard var plan = plans[uuid] else { return [] }
      return try plan.steps()
    }
  }
}
