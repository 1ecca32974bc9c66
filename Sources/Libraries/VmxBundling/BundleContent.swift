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
