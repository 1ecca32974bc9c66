import SystemPackage
import VmxDigest
import VmxEngine
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// Migrates one episode: stages, receives and records its files, and then publishes them.
struct EpisodeMigration {
  private var episode: LegacyEpisode
  private let migrator: Migrator
  private let staging: Staging
  private let slot: RecordingTurns.Slot

  /// - Parameter slot: the turn in which the episode is recorded.
  init(
    _ episode: LegacyEpisode, migrator: Migrator, staging: Staging,
    slot: RecordingTurns.Slot
  ) {
    self.episode = episode
    self.migrator = migrator
    self.staging = staging
    self.slot = slot
  }

  /// Migrates the episode, and returns a row for each file, or one for the record if there are no
  /// files.
  mutating func rows() -> [MigrationResult.Row] {
    let steps = MigrationPlan.steps(of: episode)
    do {
      if episode.isOnlyMarks {
        let known = try episode.match(in: migrator.store.snapshot())
        guard episode.reduceToMarks(of: known) else {
          return steps.map { MigrationResult.Row($0, .unchanged(.notThere)) }
        }
      }
      var rows = episode.files.isEmpty ? try recorded(steps) : try perform(steps)
      let isKept = try takeOverNFO(of: &rows)
      if migrator.method == .move, rows.first?.result == .done, !isKept {
        rows[0].step.notes += episode.remarks
      }
      return rows
    } catch {
      let result = OperationResult.failed(Failure(error))
      return steps.map { MigrationResult.Row($0, result) }
    }
  }

  /// Adds what the NFO files of a migrated episode say beyond the record to those of the library.
  /// Files in place stay as they are.
  ///
  /// - Returns: whether the library has all of it.
  private func takeOverNFO(of rows: inout [MigrationResult.Row]) throws -> Bool {
    guard migrator.method != .inPlace, let takeOver = migrator.operations.takeOverNFO,
      episode.nfo != nil || episode.showNFO != nil,
      rows.contains(where: { $0.result == .done || $0.result == .unchanged() }),
      let id = rows.lazy.compactMap(\.step.episode).first
    else { return false }
    let unsaved = try takeOver(episode.nfo, episode.showNFO, id)
    rows[0].step.notes += EpisodeResult.notes(unsaved, of: id)
    return unsaved == nil
  }

  /// Records an episode that has no files.
  private func recorded(_ steps: [MigrationStep]) throws -> [MigrationResult.Row] {
    let record = try inOrder {
      try EpisodeRecording(episode, migrator: migrator, staging: staging).record()
    }
    var result = record.removedResult ?? OperationResult(isChanged: record.isChanged)
    if let partial = episode.partial, record.removedResult == nil {
      result = try PartialMigration(
        of: record.episode, partial, migrator: migrator, staging: staging
      ).result()
    }
    return steps.map { step in
      var step = step
      step.episode = record.episode.id
      step.changed = record.changed
      return MigrationResult.Row(step, result)
    }
  }

  /// Records the episode after all earlier findings, and lets the next one be recorded.
  private func inOrder(
    _ record: () throws -> EpisodeRecording.Recorded
  ) rethrows -> EpisodeRecording.Recorded {
    slot.wait()
    defer { slot.release() }
    return try record()
  }

  /// Stages, records and publishes the files, in this order.
  private func perform(_ steps: [MigrationStep]) throws -> [MigrationResult.Row] {
    var rows = steps.map { MigrationResult.Row($0, .done) }
    let known = try episode.match(in: migrator.store.snapshot())
    let files = stageFiles(missingIn: known, rows: &rows)
    var recordedParts: Set<String> = []
    defer {
      for file in files where file.isStaged && !recordedParts.contains(file.part) {
        RegularFile.discard(file.copy)
      }
    }
    applyRefusals(of: files, isNew: known == nil, rows: &rows)
    guard known != nil || hasVideo(in: files) || episode.status != .downloaded else {
      for index in rows.indices where rows[index].result == .done {
        rows[index].result = .unchanged(.noFile)
      }
      return rows
    }
    let moved = rows.compactMap { row in
      row.removable.flatMap { source in row.step.part.map { ($0, source.path) } }
    }
    let record = try inOrder {
      try EpisodeRecording(
        episode, migrator: migrator, staging: staging, files: files, moved: moved
      ).record()
    }
    recordedParts = Set(record.staged.map(\.part))
    if !rows.isEmpty { rows[0].step.changed = record.changed }
    for index in rows.indices {
      rows[index].step.episode = record.episode.id
      if let gone = record.removedResult { rows[index].result = gone }
    }
    do {
      defer { if let claim = record.claim { staging.claims.release(claim) } }
      guard record.removedResult == nil else { return rows }
      try publish(files, for: record, rows: &rows)
    }
    // The files are in the library already, and the record has changed.
    if record.isChanged, rows.allSatisfy(\.result.isUnchangedFile), !rows.isEmpty {
      rows[0].result = .done
    }
    if let partial = episode.partial, let row = rows.indices.last {
      rows[row].result = try PartialMigration(
        of: record.episode, partial, migrator: migrator, staging: staging
      ).result()
    }
    return rows
  }

  /// Stages the files that the library does not have, and compares the others with its files.
  ///
  /// - Parameter known: the episode of the library, if it has one.
  private func stageFiles(
    missingIn known: Episode?, rows: inout [MigrationResult.Row]
  ) -> [SourceFile] {
    var staged: [SourceFile] = []
    for (index, file) in episode.files.enumerated() {
      do {
        try migrator.checkName(of: file)
        if let known, let part = known.parts.first(where: { $0.name == file.part && $0.hasFile }) {
          try compare(file, with: part, of: known, row: &rows[index])
        } else {
          staged.append(
            try SourceFile(file, of: episode, known: known, migrator: migrator, staging: staging))
        }
      } catch {
        rows[index].result = .failed(Failure(error))
      }
    }
    return staged
  }

  /// Sets the result of a file whose part has a file already.
  private func compare(
    _ file: LegacyFile, with part: Part, of known: Episode, row: inout MigrationResult.Row
  ) throws {
    row.result = try compare(file, with: part)
    guard row.result == .unchanged() else { return }
    // A crash after the publication may have left a damaged part as ready.
    if part.state == .ready, part.role == .video {
      try markDamaged([(part.name, SourceFile.damage(of: file.path))], in: known)
    }
    if migrator.method == .move {
      row.removable = try replaced(file, by: part)
      if row.removable != nil { row.result = .done }
    }
  }

  /// Sets the results of the files that are refused. A page in place of a video is recorded only
  /// if the video can be fetched.
  private func applyRefusals(
    of files: [SourceFile], isNew: Bool, rows: inout [MigrationResult.Row]
  ) {
    for index in rows.indices {
      guard let file = files.first(where: { $0.part == rows[index].step.part }),
        let refusal = file.refusal
      else { continue }
      rows[index].result = .failed(refusal)
      let isRecorded = isNew && (file.isRecordable && hasSource || episode.status != .downloaded)
      guard file.isOfOtherKind, !isRecorded else { continue }
      // Without an episode that lacks its video, it is a file like any other beside the videos.
      rows[index].result = .unchanged(MigrationDoubt.noPart.reason)
      rows[index].step.doubts.append(.noPart)
      rows[index].step.notes.append("\(refusal.summary); it stays where it is")
    }
  }

  /// Whether the files include a video, or a page in place of one that can be fetched. A new
  /// episode that the other program holds is not recorded without its video.
  private func hasVideo(in files: [SourceFile]) -> Bool {
    files.contains { file in
      file.part == PartRole.video.rawValue && file.isRecordable
        && (file.refusal == nil || hasSource)
    }
  }

  /// Whether the video can be fetched.
  private var hasSource: Bool {
    episode.description.video?.variants.contains { !$0.sources.isEmpty } ?? false
  }

  /// Publishes the received files, writes the sidecar of in-place files, and completes the rows.
  private func publish(
    _ staged: [SourceFile], for record: EpisodeRecording.Recorded, rows: inout [MigrationResult.Row]
  ) throws {
    var files = staged.filter { $0.refusal == nil }
    // The episode has other files of these parts: those of equal bytes under another name, or those
    // that another finding or process has added since the snapshot was read.
    files.removeAll { file in
      let isTaken =
        file.isStaged
        ? record.staged.contains { $0.part == file.part } : record.placed.contains(file.part)
      guard !isTaken,
        let row = rows.firstIndex(where: { $0.step.part == file.part && $0.result == .done })
      else { return false }
      let part = record.episode.part(named: file.part)
      let isSame = part?.receivedDigest == file.found.sha256
      rows[row].result = .unchanged(isSame ? .upToDate : .otherBytes)
      return true
    }
    guard !files.isEmpty else { return }
    let (episode, unsaved, failure) = try published(files, record)
    try markDamaged(files.map { ($0.part, $0.damage) }, in: episode)
    rows[0].step.notes = EpisodeResult.notes(unsaved, of: episode.id)
    for index in rows.indices {
      guard rows[index].result == .done,
        let file = files.first(where: { $0.part == rows[index].step.part })
      else { continue }
      let part = episode.part(named: file.part)
      if let failure, part?.hasFile != true {
        let own = part?.code.map { Failure($0, part?.message ?? $0.entry.sentence) }
        rows[index].result = .failed(own ?? failure)
        continue
      }
      rows[index].step.target = part?.path
      // The source of a damaged file is kept.
      if let words = file.damage, part?.isPublished(file.found.sha256) != true {
        rows[index].result = .failed(Failure(.mediaBroken, words))
        continue
      }
      rows[index].removable = file.facts.map { (file.path, $0) }
    }
  }

  /// Publishes the files. Returns the recorded episode, the failure to write its sidecar, and the
  /// failure of the parts that have no file.
  private func published(
    _ files: [SourceFile], _ record: EpisodeRecording.Recorded
  ) throws -> (episode: Episode, unsaved: Failure?, failure: Failure?) {
    let placed = Dictionary(
      files.filter { !$0.isStaged }.map { ($0.part, $0.found) }, uniquingKeysWith: { $1 })
    let unsaved =
      placed.isEmpty ? nil : migrator.operations.writeSidecar(record.episode, placed)
    guard !record.staged.isEmpty else { return (record.episode, unsaved, nil) }
    do {
      let (episode, unsaved) = try migrator.operations.publish(
        record.staged, record.episode.id, staging.root, record.claim)
      return (episode, unsaved, nil)
    } catch {
      // Other parts may be published.
      let episode = try migrator.store.snapshot().episode(record.episode.id)
      return (episode ?? record.episode, unsaved, Failure(error))
    }
  }

  /// Compares a file with the ready part of the same name.
  private func compare(_ file: LegacyFile, with part: Part) throws -> OperationResult {
    let size = part.original?.size ?? part.size
    guard let sha256 = part.receivedDigest, size == file.size else {
      return .unchanged(.otherBytes)
    }
    let digest =
      try file.contents.map { DigestHasher.sha256(of: $0) }
      ?? withFile(file.path) {
        try FileDigest.of($0) { _ in migrator.shouldStop() }.sha256
      }
    return .unchanged(digest == sha256 ? .upToDate : .otherBytes)
  }

  /// Returns the source file that a file of the library replaces, as after a crash before its
  /// removal. Returns nil if the library's file is missing, damaged or differs from its record.
  private func replaced(
    _ file: LegacyFile, by part: Part
  ) throws -> (path: FilePath, facts: FileFacts)? {
    // Bytes from a field of a record have no file to remove.
    guard file.contents == nil, part.state == .ready, let path = part.path, let root = part.root,
      let facts = try FileFacts.of(file.path)
    else { return nil }
    let kept = try migrator.mediaRoots.root(root).folder.appending(path)
    guard let keptFacts = try FileFacts.of(kept), keptFacts.isRegular else { return nil }
    if keptFacts.isSameContent(as: facts) {
      return try isSameName(file.path, as: kept) ? nil : (file.path, facts)
    }
    let digest = try withFile(kept) {
      try FileDigest.of($0) { _ in migrator.shouldStop() }.sha256
    }
    guard digest == part.sha256 else { return nil }
    try RegularFile.flush(kept)
    return (file.path, facts)
  }

  /// Whether two paths name the same directory entry, as through a bind mount. Removing the source
  /// would then remove the library's file.
  private func isSameName(_ path: FilePath, as other: FilePath) throws -> Bool {
    guard path.lastComponent == other.lastComponent, let folder = try FileFacts.of(path.folder),
      let otherFolder = try FileFacts.of(other.folder)
    else { return false }
    return (folder.device, folder.inode) == (otherFolder.device, otherFolder.inode)
  }

  private func markDamaged(_ damage: [(part: String, words: String?)], in episode: Episode) throws {
    let findings = damage.compactMap { damage -> MediaFinding? in
      guard let words = damage.words,
        let part = episode.parts.first(where: { $0.name == damage.part }),
        !part.isPublished(part.receivedDigest), part.code != .mediaBroken,
        let judged = RecordedFile(part)
      else { return nil }
      return MediaFinding(
        of: part.name, in: episode.id, judged, .broken(words), at: migrator.clock.now)
    }
    guard !findings.isEmpty else { return }
    _ = try VerificationRecorder(migrator.store).record(findings)
  }
}

extension OperationResult {
  /// Whether a file was left because the library has its part, so that only the record may change.
  var isUnchangedFile: Bool { self == .unchanged() || self == .unchanged(.otherBytes) }
}
