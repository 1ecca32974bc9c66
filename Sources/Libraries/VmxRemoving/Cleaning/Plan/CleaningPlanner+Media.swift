import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

extension CleaningPlanner {
  /// Scans everything below one root. If the marker of the root has changed after the scan, all
  /// findings are discarded.
  ///
  /// - Throws: `WorkEnded.interrupted`, and the errors of the store.
  func scan(_ scan: inout RootScan, _ survey: StoreSurvey) throws {
    guard let root = scan.root else { return }
    do {
      var sidecars = survey.roots[root.uuid]?.sidecars ?? KnownHashes()
      var orphans = try scan.failures.attempt(at: PathBytes(LibraryLayout.Folder.records.path)) {
        try self.orphans(in: root, survey: survey, sidecars: &sidecars)
      }
      let isListed = orphans != nil
      let media = try mediaSteps(
        in: root, survey: survey, orphans: &orphans, failures: scan.failures)
      var steps = try media + hiddenSteps(scan, in: root, survey: survey, orphans: orphans ?? [])
      if isListed { steps += try missingSidecarSteps(root, sidecars) }
      steps += try showSidecarSteps(in: root, survey: survey, failures: scan.failures)
      _ = try mediaRoots.root(root.uuid)
      scan.steps = steps
    } catch let error as FileError {
      scan.refuse(error)
    } catch let failure as Failure where failure.isOfUnreachableRoot {
      scan.refuse(failure)
    }
  }

  /// - Parameter orphans: the sidecars of episodes without files; nil if they could not be listed,
  ///   so that no file is reported as unknown.
  private func mediaSteps(
    in root: MediaRoot, survey: StoreSurvey, orphans: inout [UnrecordedFile]?,
    failures: ReadFailures
  ) throws -> [CleaningStep] {
    let records = survey.roots[root.uuid] ?? StoreSurvey.RootRecords()
    var walk = MediaWalk(records.paths, nfoHashes: records.nfoHashes, shouldStop: shouldStop)
    try walk.walk(root)
    for unread in walk.unread { failures.add(unread.error, at: unread.path) }
    let missing = try store.snapshot().missingFiles(in: root, walk.known, failures)
    var unknown = UnknownFiles(walk.unrecorded, of: root, failures, shouldStop: shouldStop)
    // Some file systems list a file under another spelling than the one by which it was opened, and
    // without a stable inode.
    func spellings(of missing: [MissingFile]) -> Set<String> {
      Set(missing.map(\.recordedFile.path.foldedName))
    }
    let opened = spellings(of: missing.filter { $0.existing != nil })
    unknown.removeAll { file in
      records.arriving.contains(file.facts.size)
        || missing.contains { $0.existing?.isSameContent(as: file.facts) == true }
        || file.isNamed(in: opened)
    }
    var steps = try returnedSteps(in: root, survey: survey, walk: walk, failures: failures)
    steps += try missingSteps(
      in: root, missing: missing, unknown: &unknown, isWholeWalk: walk.unread.isEmpty)
    if var sidecars = orphans {
      steps += try adoptionSteps(
        in: root, orphans: &sidecars, unknown: &unknown, failures: failures)
      orphans = sidecars
      steps += try ownNFOSteps(in: root, for: steps, unknown: &unknown, failures: failures)
      let recorded = spellings(of: missing)
      steps += try unknownSteps(
        root, unknown.files.filter { !failures.covers($0.path) && !$0.isNamed(in: recorded) })
    }
    steps += draftSteps(root, walk.temporaryFiles)
    steps += walk.empty.map {
      CleaningStep(.removeFolder(root: root.uuid, $0), explanation: "it is empty")
    }
    return steps
  }

  /// Plans the records of missing files that are at their recorded path again.
  private func returnedSteps(
    in root: MediaRoot, survey: StoreSurvey, walk: MediaWalk, failures: ReadFailures
  ) throws -> [CleaningStep] {
    var steps: [CleaningStep] = []
    for summary in survey.incomplete {
      for part in summary.parts where part.isMissing && part.root == root.uuid {
        guard let path = part.path, walk.known.isFound(StableHash.of(path)),
          let facts = try failures.attempt(
            at: PathBytes(path),
            { try FileFacts.of(root.folder.appending(FilePath(path).components)) })
        else { continue }
        let file = UnrecordedFile(path: PathBytes(path), facts: facts)
        var unknown = UnknownFiles([file], of: root, failures, shouldStop: shouldStop)
        guard case .file = try unknown.remove(size: part.size, sha256: part.sha256, at: path) else {
          continue
        }
        let recorded = RecordedPart(
          part.name, of: EpisodeRevision(summary), root: root.uuid, path: file.path,
          sha256: part.sha256)
        steps.append(
          CleaningStep(in: root, file: file, explanation: "its file exists again") {
            .recordMoved(recorded, to: $0)
          })
      }
    }
    return steps
  }

  /// - Parameter isWholeWalk: whether every folder was read. If not, a file that was not found may
  ///   be in an unread folder, so it is not recorded as missing.
  private func missingSteps(
    in root: MediaRoot, missing: [MissingFile], unknown: inout UnknownFiles, isWholeWalk: Bool
  ) throws -> [CleaningStep] {
    var steps: [CleaningStep] = []
    for missing in missing where missing.existing == nil {
      let part = missing.part
      let recorded = RecordedPart(missing)
      switch try unknown.remove(size: part.size, sha256: part.sha256, at: nil) {
      case .file(let file):
        steps.append(
          CleaningStep(
            .recordMoved(recorded, to: PlannedFile(file, in: root)),
            explanation: "its file has another name", bytes: part.size))
      case .none where !part.isMissing && isWholeWalk:
        steps.append(CleaningStep(missing: missing))
      case .none, .unknown: continue
      }
    }
    return steps
  }

  /// Plans the steps for files that still have no record after the store was read again.
  private func unknownSteps(_ root: MediaRoot, _ files: [UnrecordedFile]) throws -> [CleaningStep] {
    guard !files.isEmpty else { return [] }
    let records = StoreSurvey(try store.snapshot(), claims: [], now: now).roots[root.uuid]
    return files.compactMap { file in
      var (hash, folder) = (StableHash(), StableHash())
      hash.combine(file.path.bytes)
      let name = Array(file.path.bytes.split(separator: UInt8(ascii: "/")).last ?? [])
      folder.combine(Array(file.path.bytes.dropLast(name.count)))
      // Another tool may have published the video and its NFO file since the walk.
      if let records,
        records.paths.contains(hash.value)
          || records.nfoHashes.haveBeside(hash, name, in: folder)
          || records.arriving.contains(file.facts.size)
      {
        return nil
      }
      return CleaningStep(
        in: root, file: file, explanation: "no record, sidecar or digest identifies it",
        options.discardsForeign ? CleaningAction.discardFile : CleaningAction.unknownFile)
    }
  }
}

extension UnrecordedFile {
  /// Whether its path is one of these but for case and Unicode form.
  fileprivate func isNamed(in spellings: Set<String>) -> Bool {
    path.text.map { spellings.contains($0.foldedName) } ?? false
  }
}

extension CleaningStep {
  /// Creates a step for a part whose file is missing.
  init(missing: MissingFile) {
    self.init(
      .recordMissing(RecordedPart(missing)), explanation: "its file is missing",
      bytes: missing.part.size)
  }
}

extension RecordedPart {
  /// The file of a part that no walk has found.
  init(_ missing: MissingFile) {
    self.init(
      missing.recordedFile, of: EpisodeRevision(missing.episode, rev: missing.rev),
      named: missing.part.name)
  }

  /// The recorded file of a part.
  init(_ file: RecordedFile, of episode: EpisodeRevision, named part: String) {
    self.init(
      part, of: episode, root: file.root, path: PathBytes(file.path), sha256: file.sha256)
  }
}

extension CleaningPlanner {
  /// Plans the steps in `.vmx` of a root, except for its trash.
  ///
  /// - Parameter orphans: the sidecars of episodes without files that no adoption uses.
  func hiddenSteps(
    _ scan: RootScan, in root: MediaRoot, survey: StoreSurvey, orphans: [UnrecordedFile]
  ) throws -> [CleaningStep] {
    let failures = scan.failures
    var steps = scan.partials.compactMap { partial in
      partialStep(partial.file, named: partial.name, in: root, survey: survey)
    }
    let originals = try failures.attempt(at: PathBytes(LibraryLayout.Folder.originals.path)) {
      try root.files(in: .originals)
    }
    for file in originals ?? [] where !isNamed(file, survey) && file.isOld(at: ages) {
      steps.append(
        CleaningStep(
          in: root, file: file, explanation: "no record refers to these bytes",
          CleaningAction.dropOriginal))
    }
    steps += draftSteps(root, try root.temporaryFiles(failures))
    return steps + (try orphanSteps(in: root, orphans: orphans, failures: failures))
  }

  /// Plans the removal of temporary files that no process uses.
  func draftSteps(_ root: MediaRoot, _ drafts: [UnrecordedFile]) -> [CleaningStep] {
    drafts.filter { $0.isOld(at: ages) }
      .map {
        CleaningStep(
          in: root, file: $0, explanation: "temporary file left by a crash",
          CleaningAction.dropDraft)
      }
  }

  private func partialStep(
    _ file: UnrecordedFile, named name: LibraryLayout.Partial, in root: MediaRoot,
    survey: StoreSurvey
  ) -> CleaningStep? {
    guard file.isOld(at: ages) else { return nil }
    func drop(_ explanation: String, claiming id: EpisodeID? = nil) -> CleaningStep {
      CleaningStep(in: root, file: file, explanation: explanation) { .dropPartial($0, of: id) }
    }
    switch name {
    case .draft: return draftSteps(root, [file]).first
    case .importing(let id): return drop("left by an interrupted import or fetch", claiming: id)
    case .rejected(let claim):
      return drop("kept bytes of a failed check", claiming: survey.idle[claim] ?? nil)
    case .part(let claim):
      guard let owner = survey.idle[claim] else {
        return drop("no episode needs these bytes")
      }
      return owner.map { drop("'\($0)' does not need these bytes", claiming: $0) }
    }
  }

  private func isNamed(_ file: UnrecordedFile, _ survey: StoreSurvey) -> Bool {
    guard let digest = Digest(.sha256, hex: file.path.lastName) else {
      // A file that does not follow the naming scheme is not a file of vmx.
      return true
    }
    return survey.originals.contains(digest.head)
  }
}
