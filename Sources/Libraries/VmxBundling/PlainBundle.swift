import SystemPackage
import VmxArchive
import VmxMarkup
import VmxModel

/// Derives the episodes of a bag of another program, or of a plain folder. It uses the names of the
/// videos, the NFO files next to them, and the NFO file of the show.
struct PlainBundle {
  /// Whether a file may become a part of an episode, and so must be staged.
  static func mayBePart(_ path: String) -> Bool {
    switch CompanionFileName.role(ofExtension: fileExtension(of: path)) {
    case .video, .image, .subtitle: true
    case .metadata, .key, nil: false
    }
  }

  /// Returns the episodes of the videos, sorted by path.
  ///
  /// - Parameters:
  ///   - paths: the paths of the payload files, below the folder or in the bag.
  ///   - documents: the NFO files.
  ///   - digest: returns the SHA-256 of a file.
  /// - Throws: the errors of `EpisodeDescription.add`.
  static func episodes(
    _ paths: some Collection<String>, documents: NFODocuments, digest: (String) -> Digest?
  ) throws(Failure) -> [BundledEpisode] {
    let companions = Dictionary(grouping: paths.filter { mayBePart($0) && !isVideo($0) }) {
      FilePath($0).removingLastComponent()
    }
    var episodes: [BundledEpisode] = []
    for path in paths.filter(isVideo).sorted() {
      let name = EpisodeFileName(path)
      guard !name.isExtra else { continue }
      let video = FilePath(path)
      let folder = video.removingLastComponent()
      let stem = video.stem ?? ""
      let found = documents[folder.appending("\(stem).nfo"), .episode]
      var description = EpisodeDescription(
        name.episode(describedBy: found), in: name, stem: stem,
        folder: folder.lastComponent?.string ?? "", show: show(above: folder, documents))
      try description.add(PartDescription(role: .video, variants: []))
      var files = [
        BundledEpisode.File(part: PartRole.video.rawValue, path: path, sha256: digest(path))
      ]
      for other in (companions[folder] ?? []).sorted() {
        guard let part = part(at: FilePath(other), beside: video),
          !files.contains(where: { $0.part == part.name })
        else { continue }
        try description.add(part)
        files.append(BundledEpisode.File(part: part.name, path: other, sha256: digest(other)))
      }
      let key = digest(path).map { IdentityKey.digest($0.hex) }
      episodes.append(
        BundledEpisode(
          description: description,
          identity: description.evidence + [key].compactMap { $0 }, files: files))
    }
    return episodes
  }

  private static func part(at path: FilePath, beside video: FilePath) -> PartDescription? {
    CompanionFileName(path.lastComponent?.string ?? "", beside: video.stem ?? "")
      .map { PartDescription($0) }
  }

  /// Returns the NFO document of the show, in the folder of a video or in its parent.
  private static func show(above folder: FilePath, _ documents: NFODocuments) -> NFODocument? {
    [folder, folder.removingLastComponent()].lazy
      .compactMap { documents[$0.appending(LibraryLayout.showDescription), .show].first }.first
  }

  private static func isVideo(_ path: String) -> Bool {
    CompanionFileName.isVideo(fileExtension(of: path))
  }

  private static func fileExtension(of path: String) -> String { FilePath(path).extension ?? "" }
}

/// The parsed NFO files of a bundle without records, by path.
struct NFODocuments {
  /// The approximate bytes of memory of a document in addition to its texts.
  private static let overhead = 512

  private var documents: [String: [NFODocument]] = [:]
  private var size: Int64 = 0

  /// Whether a file is an NFO file within the size limit.
  static func holds(_ path: String, size: Int64?) -> Bool {
    path.hasSuffix(".nfo") && size.map { $0 <= Int64(NFOContents.largest) } ?? true
  }

  /// Parses an NFO file and keeps its documents of episodes and shows.
  ///
  /// - Returns: whether all documents together are within the limit in bytes.
  /// - Throws: `resources-short`.
  mutating func add(_ path: String, _ text: [UInt8], limit: Int64) throws(Failure) -> Bool {
    let found = try NFOContents(text).documents.filter { $0.kind == .episode || $0.kind == .show }
    for document in found {
      let texts = [document.title, document.showTitle, document.summary].compactMap(\.self)
      size += Int64(Self.overhead + texts.map(\.utf8.count).reduce(0, +))
    }
    if !found.isEmpty { documents[path] = found }
    return size <= limit
  }

  /// Makes all paths relative to another folder, as `BagCheck.move` does.
  mutating func move(from old: BagFolder, to new: BagFolder) {
    documents = Dictionary(
      uniqueKeysWithValues: documents.map {
        (new.path(of: old.entry(at: PathBytes($0))).words, $1)
      })
  }

  /// The documents of a kind in a file.
  subscript(path: FilePath, kind: NFODocument.Kind) -> [NFODocument] {
    documents[path.string]?.filter { $0.kind == kind } ?? []
  }
}
