import SystemPackage
import VmxLibrary
import VmxMarkup
import VmxMedia
import VmxModel
import VmxNaming

/// The episodes of one video of a tree: usually one, or several if its name or its NFO file says
/// so.
struct TreeEpisodes {
  private let video: LegacyFolder.File
  private let name: EpisodeFileName
  private let companions: [LegacyFolder.File]
  private let kind: LegacyKind
  private let zone: any LocalZone
  /// Subtitles in a folder of their own.
  var subtitles: [LegacyFolder.File] = []

  /// - Parameter zone: the time zone of the NFO files.
  init(
    _ video: LegacyFolder.File, _ name: EpisodeFileName, beside companions: [LegacyFolder.File],
    of kind: LegacyKind, in zone: any LocalZone
  ) {
    self.video = video
    self.name = name
    self.companions = companions
    self.kind = kind
    self.zone = zone
  }

  /// Returns the episodes, the files next to the video that are not migrated, and broken NFO files.
  ///
  /// - Throws: `resources-short`, errors of the file system.
  mutating func findings(_ documents: inout TreeDocuments) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    var episodes: [NFODocument] = []
    var evidence = [LegacyName(video.name).last]
    var remarks: [String] = []
    var nfo: FilePath?
    for file in companions where LegacyName(file.name).fileExtension == "nfo" {
      let contents = try documents.contents(of: file)
      if let contents, contents.isWellFormed || !contents.documents.isEmpty {
        episodes += contents.documents.filter { $0.kind == .episode || $0.kind == .movie }
        evidence.append(LegacyName(file.name).last)
        nfo = file.path
        let unkept = Set(contents.documents.flatMap(\.unkept)).sorted()
        if !unkept.isEmpty {
          let names = unkept.joined(separator: ", ")
          remarks.append("'\(file.path)' stays: it has \(names), which vmx does not keep")
        }
      } else {
        findings.append(
          .refused("\(file.path)", Failure(.recordUnreadable, "the NFO file cannot be read")))
      }
    }
    let (show, showNFO) = try documents.show(above: LegacyName(video.name).folder)
    if show != nil { evidence.append(LibraryLayout.showDescription) }
    var parts = TreeParts(of: video)
    for file in companions { findings += parts.add(file).map { [$0] } ?? [] }
    for file in subtitles { findings += parts.add(subtitle: file).map { [$0] } ?? [] }
    let described = name.episodes(describedBy: episodes)
    for each in described {
      var episode = LegacyEpisode(kind, record: "\(video.path)")
      episode.evidence = evidence
      episode.remarks = remarks
      (episode.nfo, episode.showNFO) = (each.document == nil ? nil : nfo, showNFO)
      describe(&episode, as: each, of: show)
      episode.status = .downloaded
      if described.count > 1 { episode.doubts.append(.severalEpisodes) }
      if each.document == nil {
        episode.doubts.append(.nameOnly)
        if described.count == 1 {
          episode.evidence += episode.description.describe(
            byVideo: video.path, name, stem: LegacyName(video.name).stem,
            isOfYtDlp: kind == .ytDlp)
          if episode.description.isToldByTags { episode.doubts.removeAll { $0 == .nameOnly } }
        }
      } else if let url = MediaTags.source(of: video.path) {
        episode.identity.append(.source(url.withoutTracking))
        episode.evidence.append(MediaTags.sourceAttribute)
      }
      if each.document?.number == nil, name.isGuess { episode.doubts.append(.guessedNumber) }
      for part in parts.descriptions { try episode.description.add(part) }
      episode.files = parts.files
      findings.append(.episode(episode))
    }
    return findings
  }

  private func describe(
    _ episode: inout LegacyEpisode, as described: EpisodeFileName.Episode, of show: NFODocument?
  ) {
    let document = described.document
    episode.description = EpisodeDescription(
      described, in: name, fileName: LegacyName(video.name).stem,
      folder: LegacyName(video.path.removingLastComponent().string).last, show: show)
    episode.show = show.map { LibraryShow($0, slug: "") }
    if let document { episode.played = document.played(in: zone) }
    episode.description.ageRating = document?.ageRating ?? show?.ageRating
    // The NFO file of a library of vmx names the id that the episode had there.
    if let id = document?.ids["vmx"].flatMap({ EpisodeID(valid: $0) }) {
      episode.description.id = id
      episode.identity.append(.ownID(id))
    }
    for (catalogue, id) in (document?.ids ?? [:]).sorted(by: { $0.key < $1.key }) {
      episode.hints.append(.outside(catalogue: catalogue, id: id))
    }
  }
}

/// The parts of an episode: its video, and the files next to it with the same stem.
struct TreeParts {
  private(set) var descriptions: [PartDescription]
  private(set) var files: [LegacyFile]
  private let stem: String

  init(of video: LegacyFolder.File) {
    self.init(stem: LegacyName(video.name).stem, video: video)
  }

  /// - Parameter video: the video; nil for an episode without a complete video.
  init(stem: String, video: LegacyFolder.File?) {
    descriptions = [PartDescription(role: .video, variants: [])]
    files = [video].compactMap { $0 }.map {
      LegacyFile($0.path, part: PartRole.video.rawValue, size: $0.size)
    }
    self.stem = stem
  }

  /// Adds a file next to the video as a part. Returns the finding of a file that is not migrated,
  /// else nil.
  ///
  /// - Parameter language: the language of subtitles; nil to derive it from the file name.
  mutating func add(_ file: LegacyFolder.File, language: String? = nil) -> LegacyFinding? {
    add(file, CompanionFileName(LegacyName(file.name).last, beside: stem), language: language)
  }

  /// Adds a file of a folder of subtitles as a part. Returns the finding of a file that is not
  /// migrated, else nil.
  mutating func add(subtitle file: LegacyFolder.File) -> LegacyFinding? {
    add(file, CompanionFileName(inSubtitles: LegacyName(file.name).last, of: stem), language: nil)
  }

  private mutating func add(
    _ file: LegacyFolder.File, _ name: CompanionFileName?, language: String?
  ) -> LegacyFinding? {
    guard let name else {
      return .skipped(file.path, file.size, .noPart)
    }
    switch name.role {
    case .subtitle, .image, .key: break
    // The contents of the NFO file are in the description, and vmx writes its own NFO file.
    case .metadata: return nil
    case .video: return .skipped(file.path, file.size, .noPart)
    }
    var part = PartDescription(name)
    part.language = language ?? part.language
    guard
      let part = part.named(
        LegacyName(file.name).fileExtension, beside: files.fileExtension(ofPart:))
    else {
      return .skipped(file.path, file.size, .repeated)
    }
    descriptions.append(part)
    files.append(LegacyFile(file.path, part: part.name, size: file.size))
    return nil
  }
}
