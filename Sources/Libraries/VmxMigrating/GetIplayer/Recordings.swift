import SystemPackage
import VmxModel
import VmxNaming

/// The recordings in the folders of get_iplayer, by programme id.
struct Recordings {
  /// The videos with one stem, and the other files with that stem.
  private struct Recording {
    let videos: [LegacyFolder.File]
    let companions: [LegacyFolder.File]
    let metadata: (ProgrammeMetadata, file: LegacyFolder.File)?

    var files: [LegacyFolder.File] { videos + companions + [metadata?.file].compactMap { $0 } }
  }

  private let history: DownloadHistory
  private var recordings: [String: [Recording]] = [:]
  /// The metadata files without a video, by programme id.
  private var orphans: [String: (ProgrammeMetadata, file: LegacyFolder.File)] = [:]
  /// The files without a record.
  private(set) var unrecorded: [LegacyFolder.File] = []
  private var problems: [LegacyFinding] = []
  private var unreadable: Set<FilePath> = []

  init(_ files: [LegacyFolder.File], _ history: DownloadHistory) {
    self.history = history
    let videos = Dictionary(
      grouping: files.filter { CompanionFileName.isVideo(LegacyName($0.name).fileExtension) }
    ) { LegacyName($0.name).path }
    var companions: [String: [LegacyFolder.File]] = [:]
    for file in files {
      let name = LegacyName(file.name)
      guard !CompanionFileName.isVideo(name.fileExtension) else { continue }
      let folder = name.folder.isEmpty ? "" : "\(name.folder)/"
      if let stem = name.prefix(in: { videos[folder + $0] != nil }) {
        companions[folder + stem, default: []].append(file)
      } else if let found = metadata(in: [file]) {
        add(orphan: found)
      } else if !unreadable.contains(file.path) {
        unrecorded.append(file)
      }
    }
    let pids = Dictionary(
      history.entries.flatMap { entry in entry.files.map { ($0, entry.pid) } }
    ) { $1 }
    for (stem, videos) in videos.sorted(by: { $0.key < $1.key }) {
      let beside = companions[stem] ?? []
      let found = metadata(in: beside)
      let named = videos.lazy.compactMap { pids[LegacyName($0.name).last] }.first
      let spelled = RecordingName.words(of: LegacyName(stem).last).last {
        history[String($0)] != nil
      }
      let others = beside.filter { file in
        file != found?.file && !unreadable.contains(file.path)
      }
      if let pid = found?.0.pid ?? named ?? spelled.map(String.init) {
        recordings[pid, default: []].append(
          Recording(videos: videos, companions: others, metadata: found))
      } else {
        unrecorded += videos + others
      }
    }
  }

  private mutating func add(orphan found: (ProgrammeMetadata, file: LegacyFolder.File)) {
    if orphans[found.0.pid] == nil {
      orphans[found.0.pid] = found
    } else {
      problems.append(.skipped(found.file.path, found.file.size, .repeated))
    }
  }

  /// Returns the first metadata among files; unreadable files become findings.
  private mutating func metadata(
    in files: [LegacyFolder.File]
  ) -> (ProgrammeMetadata, file: LegacyFolder.File)? {
    for file in files where ["xml", "json"].contains(LegacyName(file.name).fileExtension) {
      do throws(Failure) {
        if let found = try ProgrammeMetadata(file) { return (found, file) }
      } catch {
        unreadable.insert(file.path)
        problems.append(.refused("\(file.path)", error))
      }
    }
    return nil
  }

  /// Calls the body with each episode, and with the files that are not migrated.
  ///
  /// - Throws: `bad-line` if two parts have one name, errors of the body.
  mutating func read(_ body: ([LegacyFinding]) throws -> Void) throws {
    try body(problems)
    for (pid, found) in recordings.sorted(by: { $0.key < $1.key }) {
      try body(existing(found, entry: history[pid], orphan: orphans.removeValue(forKey: pid)))
    }
    for entry in history.entries where recordings[entry.pid] == nil {
      try body(missing(entry, orphans.removeValue(forKey: entry.pid)))
    }
    for (_, orphan) in orphans.sorted(by: { $0.key < $1.key }) {
      try body(missing(nil, orphan))
    }
  }

  private func existing(
    _ found: [Recording], entry: DownloadHistory.Entry?,
    orphan: (ProgrammeMetadata, file: LegacyFolder.File)?
  ) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    let latest = entry?.files.last { name in
      found.contains { $0.videos.contains { LegacyName($0.name).last == name } }
    }
    let isLatest = { (file: LegacyFolder.File) in LegacyName(file.name).last == latest }
    let chosen =
      found.first { $0.videos.contains(where: isLatest) }
      ?? found.first { $0.metadata != nil } ?? found.first
    guard let chosen, let video = chosen.videos.first(where: isLatest) ?? chosen.videos.first else {
      return []
    }
    let files = found.flatMap(\.files) + [orphan?.file].compactMap { $0 }
    let metadata = chosen.metadata ?? orphan
    guard (metadata?.0 ?? entry?.metadata)?.isRadio != true else {
      return files.map { .skipped($0.path, $0.size, .noPart) }
    }
    let own = chosen.companions + [video] + [metadata?.file].compactMap { $0 }
    findings += files.filter { !own.contains($0) }.map { .skipped($0.path, $0.size, .repeated) }
    var episode = episode(metadata, entry, else: "\(video.path)")
    episode.status = .downloaded
    episode.evidence.insert(LegacyName(video.name).last, at: 0)
    var parts = TreeParts(of: video)
    for file in chosen.companions {
      let name = CompanionFileName(LegacyName(file.name).last, beside: LegacyName(video.name).stem)
      if name?.role == .metadata {
        findings.append(.skipped(file.path, file.size, .noPart))
      } else if let left = parts.add(file) {
        findings.append(left)
      }
    }
    for part in parts.descriptions { try episode.description.add(part) }
    episode.files = parts.files
    return [.episode(episode)] + findings
  }

  /// Returns the findings of a programme whose recording no longer exists.
  private func missing(
    _ entry: DownloadHistory.Entry?, _ metadata: (ProgrammeMetadata, file: LegacyFolder.File)?
  ) throws -> [LegacyFinding] {
    if (metadata?.0 ?? entry?.metadata)?.isRadio == true {
      let file = metadata.map { LegacyFinding.skipped($0.file.path, $0.file.size, .noPart) }
      let line = entry.map { LegacyFinding.skipped(FilePath($0.record), nil, .noPart) }
      return [file, line].compactMap { $0 }
    }
    var episode = episode(metadata, entry, else: "")
    episode.status = .missing
    episode.doubts.insert(.fileGone, at: 0)
    try episode.description.add(PartDescription(role: .video, variants: []))
    return [.episode(episode)]
  }

  private func episode(
    _ metadata: (ProgrammeMetadata, file: LegacyFolder.File)?, _ entry: DownloadHistory.Entry?,
    else record: String
  ) -> LegacyEpisode {
    let source = metadata.map { "\($0.file.path)" } ?? entry?.record ?? record
    var episode = LegacyEpisode(.getIplayer, record: source)
    let line = entry?.metadata.description
    episode.description = metadata?.0.description ?? line ?? EpisodeDescription()
    if let line, metadata != nil {
      if episode.description.differs(from: line) { episode.doubts.append(.otherTitle) }
      episode.description.complete(by: line)
    }
    if entry?.isShifted == true { episode.doubts.append(.shiftedFields) }
    episode.evidence += [metadata.map { LegacyName($0.file.name).last }].compactMap { $0 }
    episode.evidence += [entry.map { LegacyName($0.record).last }].compactMap { $0 }
    return episode
  }
}

extension EpisodeDescription {
  /// Whether a field that both have differs.
  fileprivate func differs(from other: EpisodeDescription) -> Bool {
    func isOther<Value: Equatable>(_ field: KeyPath<EpisodeDescription, Value?>) -> Bool {
      guard let own = self[keyPath: field], let others = other[keyPath: field] else { return false }
      return own != others
    }
    return isOther(\.title) || isOther(\.showTitle) || isOther(\.season) || isOther(\.number)
  }

  /// Fills missing fields from another record of the same programme.
  fileprivate mutating func complete(by other: EpisodeDescription) {
    title = title ?? other.title
    showTitle = showTitle ?? other.showTitle
    text.season = text.season ?? other.season
    text.number = text.number ?? other.number
    text.date = text.date ?? other.date
    text.duration = text.duration ?? other.duration
    text.summary = text.summary ?? other.summary
    if identity.isEmpty { identity = other.identity }
  }
}
