package import VmxModel

extension StoreSnapshot {
  /// Returns the playback position at which an episode resumes; nil for the start.
  package func playbackPosition(of id: EpisodeID) -> PlaybackPosition? {
    record(.position, id.description).flatMap { PlaybackPosition(reading: $0.fields) }
  }

  /// Returns the time at which an episode was last played or marked in vmx; nil if never.
  package func lastPlayed(_ episode: Episode) -> Timestamp? {
    [episode.watchedAt, playbackPosition(of: episode.id)?.at].compactMap(\.self).max()
  }
}

extension StoreTransaction {
  /// Returns the playback position at which an episode resumes; nil for the start.
  package func playbackPosition(of id: EpisodeID) -> PlaybackPosition? {
    record(.position, id.description).flatMap { PlaybackPosition(reading: $0.fields) }
  }
}
