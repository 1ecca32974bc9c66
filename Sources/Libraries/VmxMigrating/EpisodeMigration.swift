import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// The migration of one episode: its files are staged, then it is recorded, then they are published.
struct EpisodeMigration {
  private let episode: LegacyEpisode
  private let migrator: Migrator
  private let staging: Staging

  init(_ episode: LegacyEpisode, _ migrator: Migrator, _ staging: Staging) {
    self.episode = episode
    self.migrator = migrator
    self.staging = staging
  }

  /// Returns the row of each file, or that of the record if there is none.
  func rows() -> [MigrationResult.Row] {
    let steps = MigrationPlan.steps(of: episode)
    do {
      return episode.files.isEmpty ? try recorded(steps) : try taken(steps)
    } catch {
      let result = OperationResult.failed(Failure(error))
      return steps.map { MigrationResult.Row($0, result) }
    }
  }

  /// Records an episode that has no files.
  private func recorded(_ steps: [MigrationStep]) throws -> [MigrationResult.Row] {
    let record = try EpisodeRecording(episode, migrator).record([])
    var result = record.gone ?? OperationResult(isChanged: record.isChanged)
    if let partial = episode.partial, record.gone == nil {
      result = try PartialMigration(of: record.episode, partial, migrator, staging).result()
    }
    return steps.map { step in
      var step = step
      step.episode = record.episode.id
      return MigrationResult.Row(step, result)
    }
  }

  private func taken(_ steps: [MigrationStep]) throws -> [MigrationResult.Row] {
    var rows = steps.map { MigrationResult.Row($0, .done) }
    var staged: [SourceFile] = []
    defer { for file in staged where file.isStaged { try? RegularFile.remove(file.copy) } }
    let known = try episode.match(in: migrator.store.snapshot())
    for (index, file) in episode.files.enumerated() {
      do {
        if let part = known?.parts.first(where: { $0.name == file.part && $0.hasFile }) {
          rows[index].result = try compare(file, with: part)
          // A crash behind the publication left what is damaged as ready.
          if rows[index].result == .unchanged(), part.state == .ready, part.role == .video,
            let known
          {
            try markDamaged([(part.name, SourceFile.damage(of: file.path))], in: known)
          }
          if migrator.method == .move, rows[index].result == .unchanged() {
            rows[index].removable = try replaced(file, by: part)
            if rows[index].removable != nil { rows[index].result = .done }
          }
        } else {
          staged.append(try SourceFile(file, migrator, to: staging.path()))
        }
      } catch {
        rows[index].result = .failed(Failure(error))
      }
    }
    for index in rows.indices {
      guard let file = staged.first(where: { $0.part == rows[index].step.part }) else { continue }
      if let refusal = file.refusal { rows[index].result = .failed(refusal) }
    }
    // An episode without its video is none that the other program has.
    let video = PartRole.video.rawValue
    let hasVideo = staged.contains { $0.part == video && $0.mayBeRecorded }
    guard known != nil || hasVideo || episode.standing != .held else {
      for index in rows.indices where rows[index].result == .done {
        rows[index].result = .unchanged(.noFile)
      }
      return rows
    }
    let record = try EpisodeRecording(episode, migrator).record(staged)
    for index in rows.indices {
      rows[index].step.episode = record.episode.id
      if let gone = record.gone { rows[index].result = gone }
    }
    guard record.gone == nil else { return rows }
    if let partial = episode.partial, let row = rows.indices.last {
      rows[row].result = try PartialMigration(of: record.episode, partial, migrator, staging)
        .result()
    }
    return try published(rows, staged, record.episode)
  }

  private func published(
    _ rows: [MigrationResult.Row], _ staged: [SourceFile], _ record: Episode
  ) throws -> [MigrationResult.Row] {
    var rows = rows
    var files = staged.filter { $0.refusal == nil }
    for index in rows.indices where rows[index].result == .done {
      let part = record.parts.first { $0.name == rows[index].step.part }
      guard let part, part.hasFile,
        let place = files.firstIndex(where: { $0.part == part.name })
      else { continue }
      let isSame = (part.original?.sha256 ?? part.sha256) == files[place].found.sha256
      rows[index].result = .unchanged(isSame ? .upToDate : .otherBytes)
      files.remove(at: place)
    }
    guard !files.isEmpty else { return rows }
    let (episode, unsaved) = try published(files, record)
    try markDamaged(files.map { ($0.part, $0.damage) }, in: episode)
    let note = unsaved.map { "what belongs beside '\(episode.id)' is not written: \($0.summary)" }
    rows[0].step.note = note
    for index in rows.indices {
      guard rows[index].result == .done,
        let file = files.first(where: { $0.part == rows[index].step.part })
      else { continue }
      rows[index].step.target = episode.parts.first { $0.name == file.part }?.path
      rows[index].removable = file.facts.map { (file.path, $0) }
    }
    return rows
  }

  private func published(
    _ files: [SourceFile], _ record: Episode
  ) throws -> (episode: Episode, unsaved: Failure?) {
    guard migrator.method == .inPlace else {
      return try migrator.operations.publish(files.map(\.staged), record.id, staging.root)
    }
    let placed = files.filter { !$0.isStaged }
    let episode = try EpisodeRecording(self.episode, migrator).place(
      placed, of: record, staging.root)
    let found = Dictionary(placed.map { ($0.part, $0.found) }, uniquingKeysWith: { $1 })
    let unsaved = migrator.operations.remember(episode, found)
    let fields = files.filter(\.isStaged)
    guard !fields.isEmpty else { return (episode, unsaved) }
    return try migrator.operations.publish(fields.map(\.staged), episode.id, staging.root)
  }

  /// Compares a file with the ready part of the same name.
  private func compare(_ file: LegacyFile, with part: Part) throws -> OperationResult {
    let size = part.original?.size ?? part.size
    guard let sha256 = part.original?.sha256 ?? part.sha256, size == file.size else {
      return .unchanged(.otherBytes)
    }
    let digest =
      try file.contents.map { DigestHasher.sha256(of: $0) }
      ?? withFile(file.path) {
        try FileDigest.of($0) { _ in migrator.shouldStop() }.whole
      }
    return .unchanged(digest == sha256 ? .upToDate : .otherBytes)
  }

  /// Returns the source that a file of the library replaces, as after a crash before its removal;
  /// nil if the file of the library is not there with the recorded bytes.
  private func replaced(
    _ file: LegacyFile, by part: Part
  ) throws -> (path: FilePath, facts: FileFacts)? {
    // A field of a record is no file that could go.
    guard file.contents == nil, let path = part.path, let root = part.root,
      let facts = try FileFacts.of(file.path)
    else { return nil }
    let kept = try migrator.mediaRoots.root(root).folder.appending(path)
    guard let keptFacts = try FileFacts.of(kept), keptFacts.isRegular else { return nil }
    if keptFacts.isSameContent(as: facts) { return (file.path, facts) }
    let digest = try withFile(kept) {
      try FileDigest.of($0) { _ in migrator.shouldStop() }.whole
    }
    guard digest == part.sha256 else { return nil }
    try RegularFile.flush(kept)
    return (file.path, facts)
  }

  private func markDamaged(_ damage: [(part: String, words: String?)], in episode: Episode) throws {
    let findings = damage.compactMap { damage -> MediaFinding? in
      guard let words = damage.words,
        let part = episode.parts.first(where: { $0.name == damage.part }),
        part.variant?.sha256 == nil || part.variant?.sha256 != part.sha256,
        let judged = JudgedFile(part)
      else { return nil }
      return MediaFinding(
        of: part.name, in: episode.id, judged, .damaged(words), at: migrator.clock.now)
    }
    guard !findings.isEmpty else { return }
    _ = try VerificationRecorder(migrator.store).record(findings)
  }
}

extension Part {
  /// Whether the library has a file of it, intact or damaged.
  fileprivate var hasFile: Bool { (state == .ready || state == .damaged) && path != nil }
}
