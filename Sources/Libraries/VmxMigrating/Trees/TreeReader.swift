import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

// As in Kodi, numbers come from the file name, and texts from the NFO file. Fields that neither
// provides come from the folder names. A file that matches no rule is reported and not migrated.

/// Reads a folder of videos, in the layout of Kodi, Jellyfin or Plex or without any.
package struct TreeReader: LegacyReader {
  private let kind: LegacyKind
  private let zone: any LocalZone

  /// Creates a reader.
  package init() {
    self.init(of: .tree)
  }

  /// Creates a reader of files for which another program has no records.
  ///
  /// - Parameter zone: the time zone of the NFO files.
  init(of kind: LegacyKind, in zone: any LocalZone = SystemZone()) {
    self.kind = kind
    self.zone = zone
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    try body(folder.errors.map { .refused("\($0.path)", Failure($0)) })
    var folders = folder.filesByFolder()
    var documents = TreeDocuments(folder.files)
    var subtitles = SubtitleFolders(from: &folders)
    for (path, files) in folders.sorted(by: { $0.key < $1.key }) {
      try read(
        files, in: folder, documents: &documents, subtitles: { subtitles.take(for: $0, in: path) },
        body: body)
    }
  }

  /// Returns the findings of the files of one folder.
  func findings(
    of files: [LegacyFolder.File], in folder: LegacyFolder, _ documents: inout TreeDocuments
  ) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(files, in: folder, documents: &documents, subtitles: { _ in ([:], []) }) {
      findings += $0
    }
    return findings
  }

  /// Calls the body with the findings of each video of a folder, then with those of other files.
  ///
  /// - Parameter subtitles: returns the subtitles in other folders that belong to the videos.
  private func read(
    _ files: [LegacyFolder.File], in folder: LegacyFolder, documents: inout TreeDocuments,
    subtitles: (
      _ videos: [LegacyFolder.File]
    ) -> (byStem: [String: [LegacyFolder.File]], others: [LegacyFolder.File]),
    body: ([LegacyFinding]) throws -> Void
  ) throws {
    let streams = YtDlpStreams(files)
    let left = files.filter { streams.isLeft($0, isOfYtDlp: kind == .ytDlp) }
    try body(left.map(streams.finding))
    let files = left.isEmpty ? files : files.filter { !left.contains($0) }
    let videos = files.filter { CompanionFileName.isVideo(LegacyName($0.name).fileExtension) }
    let owners = CompanionOwners(videos)
    var companions: [String: [LegacyFolder.File]] = [:]
    var others: [LegacyFolder.File] = []
    for file in files where !CompanionFileName.isVideo(LegacyName(file.name).fileExtension) {
      if let owner = owners.video(of: file) {
        companions[owner.name, default: []].append(file)
      } else {
        others.append(file)
      }
    }
    let elsewhere = subtitles(videos)
    others += elsewhere.others
    let isNumbered = EpisodeFileName.isNumbered(videos.lazy.map { LegacyName($0.name).last })
    for video in videos {
      let beside = companions[video.name, default: []]
      // macOS stores the attributes of `NAME` on foreign file systems as `._NAME` (AppleDouble).
      if video.size.bytes == 0 || LegacyName(video.name).last.hasPrefix("._") {
        try body(([video] + beside).map { .skipped($0.path, $0.size, .noPart) })
        continue
      }
      let name = EpisodeFileName("\(folder.path)/\(video.name)", isNumbered: isNumbered)
      if name.isExtra {
        try body(([video] + beside).map { .skipped($0.path, $0.size, .extra) })
        continue
      }
      var reading = TreeEpisodes(video, name, beside: beside, of: kind, in: zone)
      reading.subtitles = elsewhere.byStem[LegacyName(video.name).stem] ?? []
      try body(reading.findings(&documents))
    }
    try body(
      others.map { file in
        let isOfShow = CompanionFileName(ofFolder: LegacyName(file.name).last) != nil
        return .skipped(file.path, file.size, isOfShow ? .ofShow : .noPart)
      })
  }
}

/// The videos of a folder by stem, to find the video to which another file belongs.
private struct CompanionOwners {
  private let videos: [String: LegacyFolder.File]

  init(_ videos: [LegacyFolder.File]) {
    self.videos = Dictionary(
      videos.map { (LegacyName($0.name).stem, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the video with the longest stem that the name begins with; nil if there is none.
  func video(of file: LegacyFolder.File) -> LegacyFolder.File? {
    let name = LegacyName(file.name)
    let stem = name.prefix(before: ".-") {
      videos[$0] != nil && CompanionFileName(name.last, beside: $0) != nil
    }
    return stem.flatMap { videos[$0] }
  }
}

/// The NFO files of a tree; each is parsed on access.
struct TreeDocuments {
  private let files: [String: LegacyFolder.File]
  private var shows: [String: NFODocument?] = [:]

  init(_ files: [LegacyFolder.File]) {
    let documents = files.filter { LegacyName($0.name).fileExtension == "nfo" }
    self.files = Dictionary(documents.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Parses an NFO file; nil if it exceeds the size limit.
  func contents(of file: LegacyFolder.File) throws -> NFOContents? {
    guard file.size.bytes <= NFOContents.maxBytes else { return nil }
    return try NFOContents(RegularFile.prefix(of: file.path, upTo: NFOContents.maxBytes))
  }

  /// Returns the document of the show in a folder or in its parent, and its file; nil if there is
  /// none.
  mutating func show(above folder: String) throws -> (document: NFODocument?, file: FilePath?) {
    for candidate in [folder, LegacyName(folder).folder] {
      let name =
        candidate.isEmpty
        ? LibraryLayout.showDescription : "\(candidate)/\(LibraryLayout.showDescription)"
      if let known = shows[name] {
        if let known { return (known, files[name]?.path) }
        continue
      }
      let document = try files[name].flatMap { try contents(of: $0) }?
        .documents.first { $0.kind == .show }
      shows[name] = .some(document)
      if let document { return (document, files[name]?.path) }
    }
    return (nil, nil)
  }
}
