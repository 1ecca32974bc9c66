import SystemPackage
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Returns the sidecars of episodes without files, or without reachable ones, and marks the
  /// sidecars of episodes with a video in this root as found.
  ///
  /// - Throws: errors of the file system and the store.
  func orphans(
    in root: MediaRoot, survey: StoreSurvey, sidecars: inout KnownHashes
  ) throws -> [UnrecordedFile] {
    let isRootAway = try survey.roots.keys.contains { try !mediaRoots.isReachable($0) }
    return try root.files(in: .records) { name in
      guard let hash = LibraryLayout.hash(ofSidecar: name), !sidecars.markFound(hash) else {
        return false
      }
      return isRootAway || !survey.episodes.contains(hash)
    }
  }

  /// Plans the writing of missing and outdated sidecars; empty if the root is not writable.
  func missingSidecarSteps(
    _ root: MediaRoot, _ sidecars: KnownHashes
  ) throws -> [CleaningStep] {
    guard !sidecars.areAllFound || !options.outdatedSidecars.isEmpty,
      isWritable(root.folder.appending(LibraryLayout.hidden))
    else { return [] }
    var steps: [CleaningStep] = []
    try store.snapshot().summaries { summary in
      guard summary.rootOfSidecar == root.uuid else { return true }
      if !sidecars.isFound(StableHash.of(summary.id.description)) {
        steps.append(
          CleaningStep(
            .writeSidecar(summary.id, root: root.uuid), explanation: "its sidecar is missing"))
      } else if options.outdatedSidecars.contains(summary.id) {
        steps.append(
          CleaningStep(
            .writeSidecar(summary.id, root: root.uuid),
            explanation: "its sidecar is older than its record"))
      }
      return true
    }
    return steps
  }

  /// Whether a sidecar is no longer needed. It is needed while any of its files exists, because it
  /// may be the only copy of a lost record. One that cannot be decoded is kept, since its files are
  /// unknown.
  private func isObsolete(
    _ id: EpisodeID, in snapshot: StoreSnapshot, _ root: MediaRoot
  ) throws -> Bool {
    let known = try snapshot.episode(id)
    // A sidecar under a former id is obsolete: it was copied when the episode got its current id.
    if let known, known.id != id { return true }
    let record = try RecoverableRecord(of: id, in: root)
    if let known, let record, record.expected.isEmpty, record.episode.isPendingRequest {
      return !known.isPendingRequest && !record.episode.by.isLater(.want, than: known.by)
    }
    if let known, known.parts.contains(where: { $0.path != nil }) { return false }
    guard let record else {
      return try known != nil || !Sidecar(of: id, below: root.folder).mayHoldRecord
    }
    if let known, !record.isNewer(thanRemovalOf: known, now: now) { return true }
    return try record.expected.allSatisfy { expected in
      guard let path = expected.path.map({ PathBytes($0) }), path.isNormalised else { return true }
      return try FileFacts.ifPresent(at: root.file(at: path)) == nil
    }
  }

  /// Whether the sidecar is of a former id, and that of the current id exists. A rename copies the
  /// sidecar before it records the new id; a crash then leaves the old one.
  private func isCopied(
    _ id: EpisodeID, in snapshot: StoreSnapshot, _ root: MediaRoot
  ) throws -> Bool {
    guard let present = try snapshot.resolve(id), present != id else { return false }
    let sidecar = root.folder.appending(LibraryLayout.sidecar(of: present))
    return try FileFacts.ifPresent(at: sidecar) != nil
  }

  /// Plans the removal of sidecars that are no longer needed.
  func orphanSteps(
    in root: MediaRoot, orphans: [UnrecordedFile], failures: ReadFailures
  ) throws -> [CleaningStep] {
    guard !orphans.isEmpty else { return [] }
    let snapshot = try store.snapshot()
    return try orphans.compactMap { file in
      guard let id = LibraryLayout.episode(ofSidecar: file.path),
        try file.isOld(at: ages)
          || failures.attempt(at: file.path, { try isCopied(id, in: snapshot, root) }) == true,
        try failures.attempt(at: file.path, { try isObsolete(id, in: snapshot, root) })
          == true
      else { return nil }
      return CleaningStep(in: root, file: file, explanation: "'\(id)' no longer has files") {
        .dropSidecar($0, of: id)
      }
    }
  }

  /// Plans the adoption of files whose records the store has lost, or has only from before they
  /// were requested again. The digests in their sidecars identify them.
  ///
  /// - Parameters:
  ///   - orphans: the sidecars of episodes without files in the store; used sidecars are removed
  ///     from it.
  ///   - unknown: the files without a record; adopted files are removed from it.
  func adoptionSteps(
    in root: MediaRoot, orphans: inout [UnrecordedFile], unknown: inout UnknownFiles,
    failures: ReadFailures
  ) throws -> [CleaningStep] {
    guard !orphans.isEmpty, !unknown.files.isEmpty else { return [] }
    let snapshot = try store.snapshot()
    var steps: [CleaningStep] = []
    var left: [UnrecordedFile] = []
    for sidecar in orphans {
      guard let id = LibraryLayout.episode(ofSidecar: sidecar.path),
        let record = try failures.attempt(
          at: sidecar.path, { try RecoverableRecord(of: id, in: root) }),
        try snapshot.episode(id).map({ known in
          try record.isNewer(thanRemovalOf: known, now: now)
            || record.replaces(unreachableVideoOf: known, on: mediaRoots)
        }) ?? true,
        let step = try step(adopting: record, root, &unknown)
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
    adopting record: RecoverableRecord, _ root: MediaRoot, _ unknown: inout UnknownFiles
  ) throws -> CleaningStep? {
    var step: CleaningStep?
    for file in record.expected {
      let match = try unknown.remove(size: file.size, sha256: file.sha256, at: file.path)
      guard case .file(let there) = match, file.part == PartRole.video.rawValue else { continue }
      step = CleaningStep(in: root, file: there, explanation: "identified by its sidecar") {
        .adopt(record.episode.id, part: file.part, $0, file.sha256)
      }
    }
    return step
  }
}

extension CleaningPlanner {
  /// Removes the NFO files that vmx wrote from the files without a record.
  ///
  /// These are NFO files beside a video that this run adopts or found moved, and files at any path
  /// that a sidecar confirms by their digest. NFO files that name an episode or a show also count
  /// until they are a day old, since another tool may be about to write the sidecar.
  ///
  /// - Parameter steps: the steps planned so far.
  /// - Returns: a step for each episode whose NFO file is not beside its video.
  func ownNFOSteps(
    in root: MediaRoot, for steps: [CleaningStep], unknown: inout UnknownFiles,
    failures: ReadFailures
  ) throws -> [CleaningStep] {
    let beside = Set(
      steps.compactMap { step -> PathBytes? in
        switch step.action {
        case .adopt(_, _, let file, _), .recordMoved(_, let file):
          SidecarWriter.nfoPath(beside: file.path)
        default: nil
        }
      })
    var left: [CleaningStep] = []
    var own: Set<PathBytes> = []
    let snapshot = try store.snapshot()
    for file in unknown.files where file.path.lastName.hasSuffix(".nfo") {
      guard file.facts.isRegular, file.facts.size <= NFOContents.maxBytes else { continue }
      let isShow = file.path.lastName == LibraryLayout.showDescription && !file.isOld(at: ages)
      if try beside.contains(file.path) || isShow && EpisodeNFO.isShow(bytes(of: file, in: root)) {
        own.insert(file.path)
        continue
      }
      guard let owner = try failures.attempt(at: file.path, { try owner(of: file, in: root) })
      else { continue }
      let id = owner.id
      guard owner.isConfirmed || !file.isOld(at: ages) else {
        continue
      }
      own.insert(file.path)
      if owner.isConfirmed,
        let summary = snapshot.summary(of: id), summary.rootOfSidecar == root.uuid,
        !summary.names(nfo: file.path),
        !steps.contains(where: { $0.episode == id }), !left.contains(where: { $0.episode == id })
      {
        left.append(
          CleaningStep(
            .writeSidecar(id, root: root.uuid),
            explanation: "its NFO file is not beside its video"))
      }
    }
    unknown.removeAll { own.contains($0.path) }
    return left
  }

  private func bytes(of file: UnrecordedFile, in root: MediaRoot) throws(FileError) -> [UInt8] {
    try RegularFile.prefix(of: root.file(at: file.path), upTo: Int(file.facts.size))
  }

  /// Returns the episode that an NFO file names, and whether its sidecar confirms the digest; nil
  /// if the file names none.
  private func owner(
    of file: UnrecordedFile, in root: MediaRoot
  ) throws -> (id: EpisodeID, isConfirmed: Bool)? {
    let bytes = try bytes(of: file, in: root)
    guard let id = EpisodeNFO.episode(of: bytes) else { return nil }
    return (id, try sidecars.isOwnNFO(bytes, for: id, in: root))
  }
}

extension EpisodeSummary {
  /// Whether a path is that of the NFO file beside the video in another spelling. A file system
  /// that ignores case lists the folder as another computer has spelled it.
  fileprivate func names(nfo path: PathBytes) -> Bool {
    parts.contains { part in
      part.path.flatMap { SidecarWriter.nfoPath(beside: PathBytes($0)) }?.text?.foldedName
        == path.text?.foldedName
    }
  }
}
