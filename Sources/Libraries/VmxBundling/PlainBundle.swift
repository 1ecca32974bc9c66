import SystemPackage
import VmxMarkup
import VmxModel

/// The episodes of a bag of another program, or of a plain folder: read from the names of its videos,
/// from the NFO files beside them, and from the `tvshow.nfo` above.
struct PlainBundle {
  private static let companions: Set<String> = [
    "ass", "jpeg", "jpg", "png", "srt", "ssa", "vtt", "webp",
  ]

  /// Whether a file may become a part of an episode, so that it is worth a copy.
  static func mayBePart(_ path: String) -> Bool {
    isVideo(path) || companions.contains(fileExtension(of: path))
  }

  /// Returns the episodes of the files, in the order of their paths.
  ///
  /// - Parameters:
  ///   - paths: the files of the payload, by their paths below the folder or in the bag.
  ///   - documents: the NFO files, by their paths.
  ///   - digest: returns the SHA-256 of a file.
  /// - Throws: `resources-short`.
  static func episodes(
    _ paths: some Collection<String>, documents: [String: [UInt8]],
    digest: (String) -> Digest?
  ) throws(Failure) -> [BundledEpisode] {
    let folders = Dictionary(grouping: paths) { folder(of: $0) }
    var episodes: [BundledEpisode] = []
    for path in paths.filter(isVideo).sorted() {
      let name = EpisodeFileName(path)
      guard !name.isExtra else { continue }
      var description = EpisodeDescription()
      let nfo = try documents[stem(of: path) + ".nfo"].flatMap { bytes throws(Failure) in
        try NFOContents(bytes).documents.first { $0.kind == .episode }
      }
      let show = try show(above: path, documents)
      description.showTitle =
        nfo?.showTitle ?? show?.title ?? name.showTitle ?? folder(of: path).lastName
      description.season = nfo?.season ?? name.season
      description.number = nfo?.number ?? name.number ?? name.absolute
      description.date = nfo?.date ?? name.date
      description.title = nfo?.title ?? name.title ?? stem(of: path).lastName
      description.summary = nfo?.summary
      description.duration = nfo?.duration
      description.isWatched = nfo?.isWatched == true ? true : nil
      try description.add(PartDescription(role: .video, variants: []))
      var files = [BundledEpisode.File(part: "video", path: path, sha256: digest(path))]
      for other in (folders[folder(of: path)] ?? []).sorted() where !isVideo(other) {
        guard let part = part(at: other, beside: path),
          !files.contains(where: { $0.part == part.name })
        else { continue }
        try description.add(part)
        files.append(BundledEpisode.File(part: part.name, path: other, sha256: digest(other)))
      }
      let video = digest(path).map { IdentityKey.digest($0.hex) }
      episodes.append(
        BundledEpisode(
          description: description,
          identity: description.evidence + [video].compactMap { $0 }, files: files))
    }
    return episodes
  }

  private static func part(at path: String, beside video: String) -> PartDescription? {
    guard let name = CompanionFileName(path.lastName, beside: stem(of: video).lastName),
      name.role == .subtitle || name.role == .image
    else { return nil }
    var part = PartDescription(role: name.role, language: name.language, variants: [])
    part.isForced = name.isForced
    part.isSDH = name.isSDH
    return part
  }

  /// The document of the show in the folder of a video, or in the one above.
  private static func show(
    above path: String, _ documents: [String: [UInt8]]
  ) throws(Failure) -> NFODocument? {
    let folder = folder(of: path)
    for place in [folder, self.folder(of: folder)] {
      guard let bytes = documents[place.isEmpty ? "tvshow.nfo" : "\(place)/tvshow.nfo"] else {
        continue
      }
      return try NFOContents(bytes).documents.first { $0.kind == .show }
    }
    return nil
  }

  private static func isVideo(_ path: String) -> Bool {
    CompanionFileName.isVideo(fileExtension(of: path))
  }

  private static func fileExtension(of path: String) -> String {
    FilePath(path).extension?.lowercased() ?? ""
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The path without the extension.
  private static func stem(of path: String) -> String {
    let name = path.lastName
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path }
    return String(path.dropLast(name[dot...].count))
  }
}

extension String {
  /// The last component of a path.
  fileprivate var lastName: String {
    lastIndex(of: "/").map { String(self[index(after: $0)...]) } ?? self
  }
}
