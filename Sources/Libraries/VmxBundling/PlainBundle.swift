import SystemPackage
import VmxArchive
import VmxLibrary
import VmxMarkup
import VmxModel
import VmxNaming
import VmxStore

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

  /// The paths of the videos that are episodes, sorted.
  private let videos: [PathBytes]
  /// The folders whose videos begin with numbers.
  private let numberedFolders: Set<FilePath>
  /// The paths of the other files that may be parts, by their folders.
  private let companions: [FilePath: [String]]
  private let documents: NFODocuments
  private let digest: (String) -> Digest?
  private let copy: (String) -> FilePath?

  /// Finds the videos of a bag or folder.
  ///
  /// - Parameters:
  ///   - paths: the paths of the payload files, below the folder or in the bag.
  ///   - documents: the NFO files.
  ///   - digest: returns the SHA-256 of a file.
  ///   - copy: returns the path of a staged copy, whose tags are read; nil if there is none.
  init(
    _ paths: some Collection<PathBytes>, documents: NFODocuments,
    digest: @escaping (String) -> Digest?, copy: @escaping (String) -> FilePath? = { _ in nil }
  ) {
    self.copy = copy
    self.documents = documents
    self.digest = digest
    var videos: [PathBytes] = []
    var companions: [FilePath: [String]] = [:]
    for path in paths where Self.mayBePart(path.displayText) {
      if Self.isVideo(path.displayText) {
        if !EpisodeFileName(path.displayText).isExtra { videos.append(path) }
      } else {
        companions[FilePath(path.displayText).removingLastComponent(), default: []].append(
          path.displayText)
      }
    }
    self.videos = videos.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let names = Dictionary(
      grouping: videos.lazy.map { FilePath($0.displayText) }
        .filter { $0.stem?.utf8.first?.isASCIIDigit ?? false }
    ) { $0.removingLastComponent() }
    numberedFolders = Set(
      names.filter { EpisodeFileName.isNumbered($1.lazy.compactMap { $0.lastComponent?.string }) }
        .keys)
    self.companions = companions.mapValues { $0.sorted() }
  }

  /// The episodes of the videos, sorted by path. Each is derived again on every access, since a
  /// description takes kilobytes of memory, and an archive may have a million videos.
  var episodes: some Sequence<BundledEpisode.Read> {
    videos.lazy.map { path in
      let video = FilePath(path.displayText)
      let folder = video.removingLastComponent()
      let name = EpisodeFileName(
        path.displayText, isNumbered: numberedFolders.contains(folder))
      let stem = video.stem ?? ""
      let found = documents[folder.appending("\(stem).nfo"), .episode]
      var description = EpisodeDescription(
        name.episode(describedBy: found), in: name, fileName: stem,
        folder: folder.lastComponent?.string ?? "", show: Self.show(above: folder, documents))
      if found.isEmpty {
        _ = description.describe(byVideo: copy(path.displayText), name, stem: stem)
      }
      let described = description
      return BundledEpisode.Read(
        id: described.proposedID,
        episode: Result { () throws(Failure) in try episode(of: path.displayText, described) })
    }
  }

  /// Returns the episode of a video with the companions of the video.
  ///
  /// - Throws: the errors of `EpisodeDescription.add`.
  private func episode(
    of path: String, _ description: EpisodeDescription
  ) throws(Failure) -> BundledEpisode {
    var description = description
    let video = FilePath(path)
    try description.add(PartDescription(role: .video, variants: []))
    var files = [
      BundledEpisode.File(part: PartRole.video.rawValue, path: path, sha256: digest(path))
    ]
    var surplus: [String] = []
    for other in companions[video.removingLastComponent()] ?? [] {
      guard let part = Self.part(at: FilePath(other), beside: video) else { continue }
      let named = part.named(Self.fileExtension(of: other)) { name in
        files.first { $0.part == name }.map { Self.fileExtension(of: $0.path) }
      }
      guard let part = named else {
        surplus.append(other)
        continue
      }
      try description.add(part)
      files.append(BundledEpisode.File(part: part.name, path: other, sha256: digest(other)))
    }
    var bundled = BundledEpisode(description: description, identity: [], files: files)
    bundled.surplus = surplus
    let key = files[0].sha256.map { IdentityKey.digest($0.hex) }
    bundled.identity = description.identityKeys + [key].compactMap { $0 }
    return bundled
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
  static func isNFO(_ path: String, size: Int64?) -> Bool {
    path.hasSuffix(".nfo") && size.map { $0 <= Int64(NFOContents.maxBytes) } ?? true
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
        (new.path(of: old.entry(at: PathBytes($0))).displayText, $1)
      })
  }

  /// The shows that the documents describe, sorted by path.
  var shows: [BundledShow] {
    documents.sorted { $0.key < $1.key }.flatMap(\.value).compactMap { document in
      guard document.kind == .show, let title = document.title else { return nil }
      let slug = Slug(transliterating: title, fallback: title)
      return BundledShow(.show, LibraryShow(document, slug: slug.description))
    }
  }

  /// The documents of a kind in a file.
  subscript(path: FilePath, kind: NFODocument.Kind) -> [NFODocument] {
    documents[path.string]?.filter { $0.kind == kind } ?? []
  }
}
