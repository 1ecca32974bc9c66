import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// The user moves a part of the library to another disk: `vmx clean --move-to`. One episode after
// the other is copied, verified, recorded and removed (`FileRenamer`), so that a run that ends
// early has moved the episodes before it, and the next run continues.

extension CleaningPlanner {
  /// Plans the moves of the episodes that match the query and have ready files in another root.
  ///
  /// - Parameter target: the UUID of the root; in a dry run also the folder of a new one.
  /// - Throws: errors of the store.
  func moveSteps(to target: String) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    let folder = snapshot.rootFolder(target) ?? target
    var steps: [CleaningStep] = []
    try snapshot.episodes(matching: options.rules.query) { episode in
      let moves = episode.moves(toRoot: target)
      guard let first = moves.first else { return true }
      let names = Set(moves.map(\.part))
      let sizes = episode.parts.filter { names.contains($0.name) }.compactMap { $0.size?.bytes }
      steps.append(
        CleaningStep(
          .moveFiles(
            EpisodeRevision(episode.id, rev: episode.rev), root: first.root,
            PathBytes(first.from), target: target),
          explanation: "to the root '\(folder)'",
          bytes: ByteCount(clamping: sizes.clampedSum())))
      return true
    }
    return steps
  }

  /// Plans the removal of files that a crash has left in an old root after their move was recorded,
  /// and drops all other steps for them.
  ///
  /// - Throws: errors of the store and the file system.
  func finishMoveSteps(_ scans: inout [RootScan]) throws -> [CleaningStep] {
    let snapshot = try store.snapshot()
    let present = Dictionary(
      scans.compactMap(\.root).map { ($0.uuid, $0) }, uniquingKeysWith: { first, _ in first })
    var steps: [CleaningStep] = []
    for entry in snapshot.journalEntries() {
      for move in entry.lastingMoves where move.isBetweenRoots {
        guard let root = present[move.root], let id = entry.episode,
          let episode = try snapshot.episode(id), episode.isMoved(move),
          let step = try step(finishing: move, of: episode, in: root, entry: entry.id)
        else { continue }
        if !steps.contains(where: { $0.path == step.path && $0.root == step.root }) {
          steps.append(step)
        }
      }
    }
    let left = Set(
      steps.compactMap { step in step.path.map { [step.root ?? "", $0.displayText] } })
    for index in scans.indices where !left.isEmpty {
      scans[index].steps.removeAll { step in
        step.path.map { left.contains([step.root ?? "", $0.displayText]) } ?? false
      }
    }
    return steps
  }
}

extension CleaningPlanner {
  /// Plans the removal of the file that a move has left, or if that is done the removal of the NFO
  /// file of the show that remained alone in its folder.
  private func step(
    finishing move: FileMove, of episode: Episode, in root: MediaRoot, entry: String
  ) throws -> CleaningStep? {
    func step(_ path: String, _ facts: FileFacts, explanation: String) -> CleaningStep {
      let file = UnrecordedFile(path: PathBytes(path), facts: facts)
      return CleaningStep(in: root, file: file, explanation: explanation) {
        .finishMove(episode.id, part: move.part, $0, entry: entry)
      }
    }
    if let left = try FileFacts.ifPresent(at: root.file(at: PathBytes(move.from))) {
      guard left.isRegular, left.size == episode.part(named: move.part)?.size?.bytes,
        try !mediaRoots.isNamed(move.from, in: root, byOtherThan: episode.id)
      else { return nil }
      return step(move.from, left, explanation: "its file was copied to another root")
    }
    guard
      let show = try ShowFiles(of: episode, below: root.folder, in: try store.snapshot())
        .unusedNFO(above: move.from),
      let left = try FileFacts.ifPresent(at: root.file(at: PathBytes(show)))
    else { return nil }
    return step(
      show, left, explanation: "the episodes of its show were moved to another root")
  }
}

extension CleanupExecutor {
  /// Moves the files of an episode to another root; durable, and undone as a run.
  func moveFiles(_ steps: [CleaningStep]) throws -> [OperationResult] {
    let requests = steps.map { step in
      FileRenamer.Request(episode: step.episode ?? .unknown) { episode in
        guard case .moveFiles(let planned, _, _, let target) = step.action,
          planned.isCurrent(episode)
        else { throw step.changed("the record has changed") }
        _ = try mediaRoots.root(target)
        return episode.moves(toRoot: target)
      } record: { episode, moves, transaction in
        let renaming = JournalEntry.Renaming(of: episode.id, moves)
        transaction.write(JournalEntry(removal.run, .renaming(renaming), reason: "renamed").stored)
      }
    }
    return renamer.perform(requests).map { result in
      switch result {
      case .success: .done
      case .failure(let failure): OperationResult(failure)
      }
    }
  }

  /// Removes the file that a recorded move has left in the old root, if both files have the
  /// recorded bytes.
  func finishMove(
    _ step: CleaningStep, _ id: EpisodeID, part: String, file: PlannedFile, entry: String
  ) throws -> OperationResult {
    guard let entry = try store.snapshot().journalEntry(entry),
      let move = entry.lastingMoves.first(where: {
        $0.isBetweenRoots && $0.part == part && $0.root == file.root
          && (PathBytes($0.from) == file.path || $0.pathOfShow == file.path)
      })
    else { throw step.changed("the move is no longer recorded") }
    let claim = try store.claim(id)
    defer { claim.release() }
    guard let episode = try store.snapshot().episode(id), episode.isMoved(move) else {
      throw step.changed("the record has changed")
    }
    if file.path == move.pathOfShow {
      return OperationResult(isChanged: try renamer.removeShow(above: move, of: episode))
    }
    let (old, new) = (try mediaRoots.root(move.root), try mediaRoots.root(move.newRoot))
    for file in [old.file(at: PathBytes(move.from)), new.file(at: PathBytes(move.to))] {
      guard try renamer.hasRecordedBytes(file, move.part, of: episode) else {
        throw step.changed("the file has changed: '\(file)'")
      }
    }
    return renamer.finish(episode, moves: [move], copies: [:]).map { OperationResult($0) } ?? .done
  }

  var renamer: FileRenamer {
    FileRenamer(
      store: store, mediaRoots: mediaRoots, sidecars: sidecars, digest: removal.digest,
      shouldStop: shouldStop)
  }
}

extension FileMove {
  /// The path of the show's NFO file above the file, before the move.
  fileprivate var pathOfShow: PathBytes? {
    LibraryLayout.showDescription(above: from).map { PathBytes($0) }
  }
}

extension JournalEntry {
  /// The moves that count: those of the operation, or after its undo the inverse ones.
  fileprivate var lastingMoves: [FileMove] {
    let moves = renaming?.moves ?? []
    return state == .undone ? moves.map(\.reversed) : moves
  }
}

extension Episode {
  /// Returns the moves of all ready files that are in other roots to a root, the video first. There
  /// are none while a part is being removed.
  fileprivate func moves(toRoot uuid: String) -> [FileMove] {
    guard !parts.contains(where: \.state.isBeingRemoved) else { return [] }
    let moves = parts.compactMap { part -> FileMove? in
      guard part.state == .ready, let root = part.root, root != uuid, let path = part.path else {
        return nil
      }
      return FileMove(part: part.name, root: root, newRoot: uuid, from: path, to: path)
    }
    return moves.filter { $0.part == PartRole.video.rawValue }
      + moves.filter { $0.part != PartRole.video.rawValue }
  }

  /// Whether a part is recorded at the new place of a move.
  fileprivate func isMoved(_ move: FileMove) -> Bool {
    parts.contains {
      $0.name == move.part && $0.state == .ready && FileMove.Location($0) == move.target
    }
  }
}
