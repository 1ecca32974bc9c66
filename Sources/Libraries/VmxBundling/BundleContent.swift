package import VmxModel

/// The options that select the files of each episode for a bundle.
package struct BundleContent: Sendable {
  /// The names of the files in the payload.
  package enum Layout: String, Sendable, CaseIterable {
    /// `Show/Season 01/Show - S01E02 - Title.mp4`, the layout of Kodi, Jellyfin and Plex.
    case kodi
    /// The same file names without folders.
    case flat
  }

  /// The layout of the file names.
  package var layout = Layout.kodi
  /// The parts that are excluded.
  package var excluded = PartSelection(roles: [])
  /// The languages of the subtitles that are packed, as BCP 47 tags; nil for all.
  package var subtitles: Set<String>?
  /// Whether licence keys are packed.
  package var withKeys = false
  /// Whether credentials in the queries of addresses, such as `?token=`, are packed.
  package var withSecrets = false
  /// Whether an excluded part is listed in `fetch.txt`, provided its source and digest are known.
  package var listsSources = false
  /// Whether the bundle has a playlist of its videos.
  package var hasPlaylist = false
  /// The digests of parts in another bundle. These parts are excluded.
  package var known: Set<Digest> = []

  /// Creates the default options: all parts except keys, in the Kodi layout.
  package init() {}

  /// Whether an episode has a file: at least one part is ready. Its record and its NFO file are
  /// packed even if all of its parts are excluded.
  package static func hasFile(_ episode: Episode) -> Bool {
    episode.parts.contains { $0.state == .ready }
  }

  /// Returns the failure that keeps a selected episode out of the bundle; nil if there is none.
  ///
  /// A part to pack that is recorded as damaged or missing is `file-damaged` or `file-missing`, as
  /// if its file were found damaged during the copy. If a folder has a copy of a part without a
  /// file, the update would delete it, so the failure keeps the copies of the episode. A part that
  /// was removed or never fetched is omitted without a failure.
  ///
  /// - Parameter isCopied: whether the folder to update has a copy of a part.
  ///
  /// - Throws: errors of `isCopied`.
  func failure(of episode: Episode, isCopied: (Part) throws -> Bool) rethrows -> Failure? {
    for part in episode.parts
    where part.state != .ready && part.state != .removed && !part.isBeingRemoved {
      let name = "'\(part.name)' of '\(episode.id)'"
      let isCopied = try isCopied(part)
      if part.isToBeRepaired {
        guard isCopied || includes(part) else { continue }
        return Failure(
          part.isDamaged ? .fileDamaged : .fileMissing,
          "\(name) is recorded as \(part.isDamaged ? "damaged" : "missing")",
          hint: isCopied ? Self.repairHint(of: episode.id) : nil)
      }
      // The copy of an image may be a picture that the cache of the catalogue no longer has.
      if isCopied, part.role != .image || part.path != nil {
        return Failure(
          .noFile, "\(name) has no file in the library", hint: "the folder keeps the copy")
      }
    }
    return nil
  }

  private static func repairHint(of id: EpisodeID) -> String {
    "the folder keeps its copy: 'vmx verify --json \(id) | vmx import --repair FOLDER' repairs the"
      + " library with it"
  }

  /// Whether a part is packed.
  func includes(_ part: Part) -> Bool {
    if excluded.contains(part) || part.role == .key && !withKeys { return false }
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
