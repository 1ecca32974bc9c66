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
    _ sight: RootStatus, _ root: MediaRoot, _ survey: StoreSurvey, _ orphans: [LooseFile]
  ) throws -> [CleaningStep] {
    let (folder, failures) = (RootFolder(root: root), sight.failures)
    var steps = sight.partials.compactMap { partial in
      partialStep(partial.file, partial.name, root, survey)
    }
    let originals = try failures.attempt(at: PathBytes(LibraryLayout.Folder.originals.path)) {
      try folder.files(in: .originals)
    }
    for file in originals ?? [] where !isNamed(file, survey) {
      guard file.isOlder(than: CleaningOrder.rest, now: ages) else { continue }
      steps.append(
        CleaningStep(.dropOriginal, root, file, why: "no record names these bytes any longer"))
    }
    for file in try folder.drafts(failures)
    where file.isOlder(than: CleaningOrder.rest, now: ages) {
      steps.append(CleaningStep(.dropDraft, root, file, why: "a crash left this draft"))
    }
    return steps + (try sidecarSteps(root, orphans, failures))
  }

  private func partialStep(
    _ file: LooseFile, _ name: LibraryLayout.Partial, _ root: MediaRoot, _ survey: StoreSurvey
  ) -> CleaningStep? {
    guard file.isOlder(than: CleaningOrder.rest, now: ages) else { return nil }
    switch name {
    case .draft: return CleaningStep(.dropDraft, root, file, why: "a crash left this draft")
    case .importing(let id):
      var step = CleaningStep(
        .dropPartial, root, file, why: "its import or fetch has ended without it")
      step.name = id.description
      return step
    case .aside(let claim):
      var step = CleaningStep(.dropPartial, root, file, why: "these were not the right bytes")
      step.name = survey.idle[claim].flatMap { $0 }?.description
      return step
    case .part(let claim):
      guard let owner = survey.idle[claim] else {
        return CleaningStep(.dropPartial, root, file, why: "no episode goes on with these bytes")
      }
      guard let owner else { return nil }
      var step = CleaningStep(
        .dropPartial, root, file, why: "'\(owner)' does not go on with these bytes")
      step.name = owner.description
      return step
    }
  }

  private func isNamed(_ file: LooseFile, _ survey: StoreSurvey) -> Bool {
    let name = file.path.text?.split(separator: "/").last ?? ""
    guard let digest = Digest(.sha256, hex: name) else {
      // A file that does not follow the naming scheme is not a file of vmx.
      return true
    }
    return survey.originals.contains(digest.head)
  }

  /// Whether a sidecar is of no further use. It is still needed while any of its files exists,
  /// because it may be the only copy of a lost record.
  private func isIdle(
    _ file: LooseFile, of id: EpisodeID, in snapshot: StoreSnapshot, _ root: MediaRoot
  ) throws -> Bool {
    if let episode = try snapshot.episode(id) {
      // A sidecar under a former id is obsolete: it was copied when the episode got its current id.
      return episode.id != id || episode.parts.allSatisfy { $0.path == nil }
    }
    let record = try LostRecord(root.file(at: file.path), of: id)
    return try record?.expected.allSatisfy { expected in
      guard let path = expected.path.map({ PathBytes($0) }), path.isBelow else { return true }
      return try factsIfPresent(of: root.file(at: path)) == nil
    } ?? true
  }

  /// Whether the sidecar is of a former id, and that of the present one is there: a rename copies it
  /// before it records the new id, and a crash then left the old one.
  private func isCopied(
    _ id: EpisodeID, in snapshot: StoreSnapshot, _ root: MediaRoot
  ) throws -> Bool {
    guard let present = try snapshot.resolve(id), present != id else { return false }
    return try factsIfPresent(of: root.folder.appending(LibraryLayout.sidecar(of: present))) != nil
  }

  private func sidecarSteps(
    _ root: MediaRoot, _ orphans: [LooseFile], _ failures: ReadFailures
  ) throws -> [CleaningStep] {
    guard !orphans.isEmpty else { return [] }
    let snapshot = try store.snapshot()
    return try orphans.compactMap { file in
      guard let id = LibraryLayout.episode(ofSidecar: file.path),
        try file.isOlder(than: CleaningOrder.rest, now: ages)
          || failures.attempt(at: file.path, { try isCopied(id, in: snapshot, root) }) == true,
        try failures.attempt(at: file.path, { try isIdle(file, of: id, in: snapshot, root) })
          == true
      else { return nil }
      var step = CleaningStep(.dropSidecar, root, file, why: "'\(id)' has no files any longer")
      step.name = id.description
      return step
    }
  }
}
