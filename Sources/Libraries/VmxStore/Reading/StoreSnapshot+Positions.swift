package import VmxModel

extension StoreSnapshot {
  /// Returns the playback position at which an episode resumes; nil for the start.
  package func playbackPosition(of id: EpisodeID) -> PlaybackPosition? {
    record(.position, id.description).flatMap { PlaybackPosition($0.fields) }
  }
}
