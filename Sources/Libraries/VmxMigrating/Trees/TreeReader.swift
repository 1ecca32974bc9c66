import VmxMarkup
import VmxModel
import VmxSystem

// Order of trust: numbers are those of the file name, texts those of the NFO file, as in Kodi. What
// neither says comes from the folders. A file that no rule takes is reported and stays.

/// Reads a folder of videos in the layout of Kodi, Jellyfin or Plex, or in none.
package struct TreeReader: LegacyReader {
  private let kind: LegacyKind

  /// Creates a reader.
  package init() {
    self.init(of: .tree)
  }

  /// Creates the reader of files that another program has no records of.
  init(of kind: LegacyKind) {
    self.kind = kind
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings = folder.errors.map { LegacyFinding.refused("\($0.path)", Failure($0)) }
    let folders = folder.filesByFolder()
    var documents = TreeDocuments(folder.files)
    for (_, files) in folders.sorted(by: { $0.key < $1.key }) {
      findings += try self.findings(of: files, in: folder, &documents)
    }
    return findings
  }

  /// Returns the findings of the files of one folder.
  func findings(
    of files: [LegacyFolder.File], in folder: LegacyFolder, _ documents: inout TreeDocuments
  ) throws -> [LegacyFinding] {
    let videos = files.filter { CompanionFileName.isVideo(LegacyName($0.name).fileExtension) }
    // `Show S01E01` must not take the subtitles of `Show S01E01 part 2`.
    let stems = videos.sorted { $0.name.utf8.count > $1.name.utf8.count }
    var companions: [String: [LegacyFolder.File]] = [:]
    var others: [LegacyFolder.File] = []
    for file in files where !videos.contains(file) {
      let name = LegacyName(file.name)
      let owner = stems.first { video in
        CompanionFileName(name.last, beside: LegacyName(video.name).stem) != nil
      }
      if let owner {
        companions[owner.name, default: []].append(file)
      } else {
        others.append(file)
      }
    }
    var findings: [LegacyFinding] = []
    for video in videos {
      let place = EpisodeFileName("\(folder.path)/\(video.name)")
      if place.isExtra {
        findings += ([video] + companions[video.name, default: []]).map {
          .left($0.path, $0.size, .extra)
        }
        continue
      }
      var reading = TreeEpisodes(
        video, place, beside: companions[video.name, default: []], of: kind)
      findings += try reading.findings(&documents)
    }
    for file in others {
      let isOfShow = CompanionFileName(ofFolder: LegacyName(file.name).last) != nil
      findings.append(.left(file.path, file.size, isOfShow ? .ofShow : .noPart))
    }
    return findings
  }
}

/// The NFO files of a tree; each is parsed when it is asked for.
struct TreeDocuments {
  private let files: [String: LegacyFolder.File]
  private var shows: [String: NFODocument?] = [:]

  init(_ files: [LegacyFolder.File]) {
    let documents = files.filter { LegacyName($0.name).fileExtension == "nfo" }
    self.files = Dictionary(documents.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Parses a file; nil if it is none that is read.
  func contents(of file: LegacyFolder.File) throws -> NFOContents? {
    guard file.size.bytes <= NFOContents.largest else { return nil }
    return try NFOContents(RegularFile.prefix(of: file.path, upTo: NFOContents.largest))
  }

  /// Returns the document of the show in a folder, or in the one above.
  mutating func show(above folder: String) throws -> NFODocument? {
    for place in [folder, LegacyName(folder).folder] {
      let name =
        place.isEmpty ? LibraryLayout.showDescription : "\(place)/\(LibraryLayout.showDescription)"
      if let known = shows[name] {
        if let known { return known }
        continue
      }
      let document = try files[name].flatMap { try contents(of: $0) }?
        .documents.first { $0.kind == .show }
      shows[name] = .some(document)
      if let document { return document }
    }
    return nil
  }
}
