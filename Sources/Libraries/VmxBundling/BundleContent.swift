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
  package var without = PartSelection(roles: [])
  /// The languages of the subtitles that are packed, as BCP 47 tags; nil for all.
  package var subtitles: Set<String>?
  /// Whether licence keys are packed.
  package var withKeys = false
  /// Whether an excluded part is listed in `fetch.txt`, provided its source and digest are known.
  package var listsSources = false
  /// The digests of parts in another bundle. These parts are excluded.
  package var known: Set<Digest> = []

  /// Creates the default options: all parts except keys, in the Kodi layout.
  package init() {}

  /// Whether an episode can be packed: it has at least one ready part. Its record and its NFO file
  /// are packed even if all of its parts are excluded.
  package static func isPackable(_ episode: Episode) -> Bool {
    episode.parts.contains { $0.state == .ready }
  }

  /// Whether a part is packed.
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
