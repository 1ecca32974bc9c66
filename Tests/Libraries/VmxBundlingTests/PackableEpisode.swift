import VmxModel

@testable import VmxBundling

extension Episode {
  /// Returns an episode whose parts are ready, each with the name that it has in a library.
  static func packable(
    _ id: String, _ title: String, show: String = "Show", number: Int64? = nil,
    parts: [Part] = [.packable()]
  ) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID(id), title: title, showTitle: show, added: Timestamp(seconds: 7),
      parts: parts)
    episode.number = number
    return episode
  }
}

extension Part {
  /// Returns a ready part of 10 bytes.
  static func packable(
    _ role: PartRole = .video, _ language: String? = nil, path: String = "there/a.mp4",
    digest: UInt8 = 1
  ) -> Part {
    let source = Source(url: "http://127.0.0.1/\(path)")
    var part = Part(role: role, language: language, variants: [Variant(sources: [source])])
    (part.state, part.root, part.path) = (.ready, "root-uuid", path)
    (part.size, part.sha256) = (ByteCount(clamping: 10), .all(digest))
    return part
  }
}

extension Part {
  /// Returns a part whose file is not ready in the library.
  static func lost(
    _ state: PartState, _ role: PartRole = .video, _ language: String? = nil
  ) -> Part {
    var part = Part.packable(role, language)
    part.state = state
    return part
  }
}

extension Digest {
  /// Returns the SHA-256 whose bytes all have this value.
  static func all(_ byte: UInt8) -> Digest? {
    Digest(.sha256, bytes: [UInt8](repeating: byte, count: 32))
  }
}

extension BundlePlan {
  init(
    _ episodes: [Episode], _ content: BundleContent = BundleContent(),
    in folder: FolderContent = .none, pictures: BundlePictures? = nil
  ) throws {
    let known = Dictionary(episodes.map { ($0.id, $0) }) { first, _ in first }
    var ids = PackedTexts()
    for episode in episodes { ids.append(episode.id.description) }
    try self.init(
      ids, content, in: folder, reading: { known[$0] }, pictures: pictures)
  }

  /// The paths of the payload files without `data/`.
  var names: [String] { files.map { String($0.file.path.dropFirst(5)) } }
}
