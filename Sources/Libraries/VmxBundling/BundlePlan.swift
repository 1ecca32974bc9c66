import SystemPackage
import VmxMarkup
package import VmxModel

/// The choice of what a bundle holds of each episode.
package struct BundleContent: Sendable {
  /// The names of the files in the payload.
  package enum Layout: String, Sendable, CaseIterable {
    /// `Show/Season 01/Show - S01E02 - Title.mp4`, as Kodi, Jellyfin and Plex read it.
    case kodi
    /// The same file names without folders.
    case flat
  }

  /// The names of the files.
  package var layout = Layout.kodi
  /// The parts that are left out.
  package var without = PartSelection(roles: [])
  /// The languages of the subtitles that are packed, as BCP 47 tags; nil for all.
  package var subtitles: Set<String>?
  /// Whether licence keys are packed.
  package var withKeys = false
  /// Whether a part that is left out is listed in `fetch.txt`, if its source and digest are known.
  package var listsSources = false
  /// The digests of parts that another bundle has, which are left out.
  package var known: Set<Digest> = []
  /// The paths of the episodes that a folder holds already, by their ids. Those of episodes outside
  /// the plan are given to no other.
  package var taken: [String: [String]] = [:]

  /// Creates the usual content: all parts but the keys, in the layout for players.
  package init() {}

  /// Whether an episode can be packed: it has a file. Its record and its NFO file belong to the bundle
  /// even where all of its parts are left out.
  package static func isPackable(_ episode: Episode) -> Bool {
    episode.parts.contains { $0.state == .ready }
  }

  /// Whether a part belongs to the bundle.
  func includes(_ part: Part) -> Bool {
    if without.contains(part) || part.role == .key && !withKeys { return false }
    if part.role == .subtitle, let subtitles {
      // `--subtitles pt` includes `pt-BR`.
      guard let tag = part.language, let main = tag.split(separator: "-").first else {
        return false
      }
      return subtitles.contains(tag) || subtitles.contains(String(main))
    }
    return true
  }
}

/// The files and records of a bundle, before any byte is read.
///
/// The plan depends only on the records of the episodes and the chosen content, never on the names
/// that the files have in this library. So two libraries with the same episodes write the same bytes.
package struct BundlePlan: Sendable {
  /// A file of the payload.
  package struct File: Sendable {
    /// The origin of its bytes.
    package enum Content: Sendable {
      /// The file of a part: the UUID of its root and its path there.
      case part(String, root: String, path: String)
      /// Bytes that are made for the bundle.
      case document([UInt8])
    }

    /// The path in the bag, beginning with `data/`.
    package let path: String
    /// The number of bytes.
    package let size: ByteCount
    /// The digest that goes into the manifest.
    package let sha256: Digest
    /// The origin of its bytes.
    package let content: Content
  }

  /// A file with the episode to which it belongs.
  package struct Placed: Sendable {
    /// The id of the episode.
    package let episode: EpisodeID
    /// The file.
    package let file: File
  }

  /// A part that stays on the net, a line of `fetch.txt`.
  package struct Remote: Sendable {
    /// The path in the bag that it would have.
    package let path: String
    /// The URL of its first source.
    package let url: String
    /// The number of bytes.
    package let size: ByteCount
    /// The digest that goes into the manifest.
    package let sha256: Digest
  }

  /// An episode with its files.
  package struct Entry: Sendable {
    /// The episode as recorded.
    package let episode: Episode
    /// Its files, in the order of their paths.
    package let files: [File]
    /// Its parts that stay on the net.
    package let remotes: [Remote]

    /// The line of the bundle's records.
    var record: JSONObject {
      var paths: [String: String] = [:]
      var nfo: String?
      for file in files {
        switch file.content {
        case .part(let name, _, _): paths[name] = file.path
        case .document: nfo = file.path
        }
      }
      return BundleRecord.object(of: episode, paths: paths, nfo: nfo)
    }
  }

  /// The episodes in the order of their ids.
  package private(set) var entries: [Entry]

  /// Plans the files of episodes.
  ///
  /// - Parameters:
  ///   - episodes: in any order; each once.
  ///   - digest: returns the SHA-256 of bytes.
  /// - Throws: `resources-short` if memory is exhausted.
  package init(
    _ episodes: [Episode], _ content: BundleContent, digest: ([UInt8]) -> Digest
  ) throws(Failure) {
    entries = []
    let ids = Set(episodes.map(\.id.description))
    var names = BundleNames(
      content.layout, taken: content.taken.filter { !ids.contains($0.key) }.values.joined())
    for episode in episodes.sorted(by: { $0.id < $1.id }) {
      if let entry = try Self.entry(of: episode, content, &names, digest) { entries.append(entry) }
    }
  }

  /// Creates a plan of entries of another one, in their order.
  init(entries: [Entry]) { self.entries = entries }

  /// The files of all episodes, in the order of the bytes of their paths.
  package var files: [Placed] {
    entries.flatMap { entry in entry.files.map { Placed(episode: entry.episode.id, file: $0) } }
      .sorted { $0.file.path.utf8.lexicographicallyPrecedes($1.file.path.utf8) }
  }

  /// The bytes of the payload.
  package var size: Int64 {
    entries.reduce(0) { sum, entry in
      entry.files.reduce(sum) { $0.addingClamped($1.size.bytes) }
    }
  }

  /// Removes episodes, such as those whose files are damaged.
  package mutating func remove(_ ids: Set<EpisodeID>) {
    entries.removeAll { ids.contains($0.episode.id) }
  }

  private static func entry(
    of episode: Episode, _ content: BundleContent, _ names: inout BundleNames,
    _ digest: ([UInt8]) -> Digest
  ) throws(Failure) -> Entry? {
    guard BundleContent.isPackable(episode) else { return nil }
    let paths = names.paths(of: episode)
    var files: [File] = []
    var remotes: [Remote] = []
    var hasKnown = false
    for part in episode.parts {
      guard let name = paths[part.name] else { continue }
      if let file = file(of: part, at: name), content.includes(part) {
        if content.known.contains(file.sha256) { hasKnown = true } else { files.append(file) }
      } else if content.listsSources, part.role != .key, let remote = remote(part, at: name) {
        if content.known.contains(remote.sha256) { hasKnown = true } else { remotes.append(remote) }
      }
    }
    var document: File?
    if let name = paths[BundleNames.description] {
      let bytes = try EpisodeNFO.bytes(of: episode)
      document = File(
        path: name, size: ByteCount(clamping: Int64(bytes.count)), sha256: digest(bytes),
        content: .document(bytes))
    }
    if let document, content.known.contains(document.sha256) { hasKnown = true }
    // All that is chosen of the episode is in another bundle.
    if files.isEmpty, remotes.isEmpty, hasKnown { return nil }
    files += [document].compactMap { $0 }
    return Entry(
      episode: episode,
      files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
      remotes: remotes)
  }

  private static func file(of part: Part, at name: String) -> File? {
    guard part.state == .ready, let root = part.root, let path = part.path, let size = part.size,
      let sha256 = part.sha256
    else { return nil }
    return File(
      path: name, size: size, sha256: sha256, content: .part(part.name, root: root, path: path))
  }

  private static func remote(_ part: Part, at name: String) -> Remote? {
    guard part.original == nil, let variant = part.variant, let source = variant.sources.first,
      source.secret == nil, let size = part.size ?? variant.size,
      let sha256 = part.sha256 ?? variant.sha256
    else { return nil }
    return Remote(path: name, url: source.url, size: size, sha256: sha256)
  }
}
