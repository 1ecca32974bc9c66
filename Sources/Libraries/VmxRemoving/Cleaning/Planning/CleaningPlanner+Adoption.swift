import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Plans the adoption of files whose records the store has lost, identified by the digests in
  /// their sidecars.
  ///
  /// - Parameters:
  ///   - orphans: the sidecars of episodes without files in the store; used sidecars are removed
  ///     from it.
  ///   - found: the files without a record; adopted files are removed from it.
  func adoptionSteps(
    _ root: MediaRoot, _ orphans: inout [LooseFile], _ found: inout FoundFiles,
    _ failures: ReadFailures
  ) throws -> [CleaningStep] {
    guard !orphans.isEmpty, !found.files.isEmpty else { return [] }
    let snapshot = try store.snapshot()
    var steps: [CleaningStep] = []
    var left: [LooseFile] = []
    for sidecar in orphans {
      guard let id = LibraryLayout.episode(ofSidecar: sidecar.path),
        try snapshot.episode(id) == nil,
        let read = try failures.attempt(
          at: sidecar.path, { try LostRecord(root.file(at: sidecar.path), of: id) }),
        let record = read, let step = try step(adopting: record, root, &found)
      else {
        left.append(sidecar)
        continue
      }
      steps.append(step)
    }
    orphans = left
    return steps
  }

  private func step(
    adopting record: LostRecord, _ root: MediaRoot, _ found: inout FoundFiles
  ) throws -> CleaningStep? {
    var step: CleaningStep?
    for file in record.expected {
      let match = try found.take(size: file.size, sha256: file.sha256, at: file.path)
      guard case .file(let there) = match, file.part == PartRole.video.rawValue else { continue }
      step = CleaningStep(.adopt, root, there, why: "the sidecar beside it says what it is")
      step?.episode = record.episode.id
      step?.part = file.part
      step?.sha256 = file.sha256
    }
    return step
  }
}
