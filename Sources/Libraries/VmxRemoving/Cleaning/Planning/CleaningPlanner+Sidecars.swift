import SystemPackage
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// The maximal size of an NFO file that is read, in bytes.
  private static let largestNFO = 1 << 20

  /// Returns the sidecars of episodes without files, and marks the sidecars of episodes with a
  /// video in this root as met.
  ///
  /// - Throws: `FileError`.
  func orphans(
    _ root: MediaRoot, _ survey: StoreSurvey, _ sidecars: inout KnownHashes
  ) throws(FileError) -> [LooseFile] {
    try RootFolder(root: root).files(in: .records) { name in
      guard let hash = LibraryLayout.hash(ofSidecar: name) else { return false }
      _ = sidecars.meet(hash)
      return !survey.episodes.contains(hash)
    }
  }

  /// Plans the writing of missing sidecars; empty if the root is not writable.
  func missingSidecarSteps(
    _ root: MediaRoot, _ sidecars: KnownHashes
  ) throws -> [CleaningStep] {
    guard !sidecars.areAllMet, isWritable(root.folder.appending(LibraryLayout.hidden)) else {
      return []
    }
    var steps: [CleaningStep] = []
    try store.snapshot().summaries { summary in
      guard summary.rootOfSidecar == root.uuid,
        !sidecars.hasMet(StableHash.of(summary.id.description))
      else { return true }
      steps.append(CleaningStep(.writeSidecar, root, summary.id, why: "its sidecar is not there"))
      return true
    }
    return steps
  }

  /// Removes the NFO files that vmx wrote from the files without a record.
  ///
  /// Those are the ones beside a video that this run takes in or finds moved, those that a sidecar
  /// knows by their digest, wherever they stand now, and for a day those that name an episode:
  /// another tool may be about to write the sidecar.
  ///
  /// - Parameter steps: the steps planned so far.
  /// - Returns: a step for each episode whose NFO file is not beside its video.
  func takeOwnNFO(
    _ root: MediaRoot, _ steps: [CleaningStep], _ found: inout FoundFiles, _ failures: ReadFailures
  ) throws -> [CleaningStep] {
    let beside = Set(
      steps.compactMap { step -> PathBytes? in
        switch step.kind {
        case .adopt: step.path.flatMap { SidecarWriter.nfoPath(beside: $0) }
        case .recordMoved: step.found.flatMap { SidecarWriter.nfoPath(beside: $0) }
        default: nil
        }
      })
    var left: [CleaningStep] = []
    var own: Set<PathBytes> = []
    let snapshot = try store.snapshot()
    for file in found.files where file.path.lastName.hasSuffix(".nfo") {
      if beside.contains(file.path) {
        own.insert(file.path)
        continue
      }
      guard file.facts.isRegular, file.facts.size <= Self.largestNFO,
        let owner = try failures.attempt(at: file.path, { try owner(of: file, in: root) }) ?? nil
      else { continue }
      let id = owner.id
      guard owner.isConfirmed || !file.isOlder(than: CleaningOrder.rest, now: ages) else {
        continue
      }
      own.insert(file.path)
      if owner.isConfirmed,
        let summary = snapshot.summary(of: id), summary.rootOfSidecar == root.uuid,
        !steps.contains(where: { $0.episode == id }), !left.contains(where: { $0.episode == id })
      {
        left.append(
          CleaningStep(.writeSidecar, root, id, why: "its NFO file is not beside its video"))
      }
    }
    found.leaveOut { own.contains($0.path) }
    return left
  }

  /// The episode that an NFO file names, and whether its sidecar confirms the digest; nil for a file
  /// that names none.
  private func owner(
    of file: LooseFile, in root: MediaRoot
  ) throws -> (id: EpisodeID, isConfirmed: Bool)? {
    let bytes = try OpenFile(root.file(at: file.path), .readOnly).read(
      Int(file.facts.size), at: 0)
    guard let id = EpisodeNFO.episode(of: bytes) else { return nil }
    return (id, try sidecars.wrote(bytes, for: id, in: root))
  }
}

extension CleaningStep {
  fileprivate init(_ kind: Kind, _ root: MediaRoot, _ id: EpisodeID, why: String) {
    self.init(kind, why: why)
    self.root = root.uuid
    episode = id
  }
}
