import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Plans the steps in `.vmx` of a root, except for its trash.
  ///
  /// - Parameter orphans: the sidecars of episodes without files that no adoption uses.
  func hiddenSteps(
    _ scan: RootScan, _ root: MediaRoot, _ survey: StoreSurvey, _ orphans: [LooseFile]
  ) throws -> [CleaningStep] {
    let failures = scan.failures
    var steps = scan.partials.compactMap { partial in
      partialStep(partial.file, partial.name, root, survey)
    }
    let originals = try failures.attempt(at: PathBytes(LibraryLayout.Folder.originals.path)) {
      try root.files(in: .originals)
    }
    for file in originals ?? [] where !isNamed(file, survey) && file.isOld(at: ages) {
      steps.append(
        CleaningStep(.dropOriginal, root, file, why: "no record names these bytes any longer"))
    }
    steps += draftSteps(root, try root.drafts(failures))
    return steps + (try orphanSteps(root, orphans, failures))
  }

  /// Plans the removal of the drafts that no process works on.
  func draftSteps(_ root: MediaRoot, _ drafts: [LooseFile]) -> [CleaningStep] {
    drafts.filter { $0.isOld(at: ages) }
      .map { CleaningStep(.dropDraft, root, $0, why: "a crash left this draft") }
  }

  private func partialStep(
    _ file: LooseFile, _ name: LibraryLayout.Partial, _ root: MediaRoot, _ survey: StoreSurvey
  ) -> CleaningStep? {
    guard file.isOld(at: ages) else { return nil }
    func drop(_ why: String, claiming id: EpisodeID? = nil) -> CleaningStep {
      var step = CleaningStep(.dropPartial, root, file, why: why)
      step.name = id?.description
      return step
    }
    switch name {
    case .draft: return draftSteps(root, [file]).first
    case .importing(let id): return drop("its import or fetch has ended without it", claiming: id)
    case .aside(let claim):
      return drop("these were not the right bytes", claiming: survey.idle[claim] ?? nil)
    case .part(let claim):
      guard let owner = survey.idle[claim] else {
        return drop("no episode goes on with these bytes")
      }
      return owner.map { drop("'\($0)' does not go on with these bytes", claiming: $0) }
    }
  }

  private func isNamed(_ file: LooseFile, _ survey: StoreSurvey) -> Bool {
    guard let digest = Digest(.sha256, hex: file.path.lastName) else {
      // A file that does not follow the naming scheme is not a file of vmx.
      return true
    }
    return survey.originals.contains(digest.head)
  }
}
