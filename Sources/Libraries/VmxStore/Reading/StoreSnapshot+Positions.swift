package import VmxModel

extension StoreSnapshot {
  /// Returns the position from which an episode is played on; nil for the start.
  package func playbackPosition(of id: EpisodeID) -> PlaybackPosition? {
    record(.position, id.description).flatMap { PlaybackPosition($0.fields) }
  }
}
