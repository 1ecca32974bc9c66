package import VmxJobs
import VmxDigest
import VmxMarkup

extension NFOSource {
  /// Creates the source of NFO files that Kodi, Jellyfin and Plex read; nil where none are wanted.
  package init?(isWanted: Bool) {
    guard let document = EpisodeNFO.source(isWanted: isWanted) else { return nil }
    self.init(document: document) { DigestHasher.sha256(of: $0) }
  }
}
